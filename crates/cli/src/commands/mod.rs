//! One file per command: its arguments, whose doc comment is the help page, and one function.

pub(crate) mod apply;
pub(crate) mod completions;
pub(crate) mod console;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod fmt;
pub(crate) mod graph;
pub(crate) mod init;
pub(crate) mod lsp;
pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod test;
pub(crate) mod validate;
pub(crate) mod watch;

pub(crate) use apply::ApplyArgs;
pub(crate) use completions::CompletionsArgs;
pub(crate) use console::ConsoleArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use facts::FactsArgs;
pub(crate) use fmt::FmtArgs;
pub(crate) use graph::GraphArgs;
pub(crate) use init::InitArgs;
pub(crate) use lsp::LspArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use read::ReadArgs;
pub(crate) use schema::SchemaArgs;
pub(crate) use show::ShowArgs;
pub(crate) use status::StatusArgs;
pub(crate) use test::TestArgs;
pub(crate) use validate::ValidateArgs;
pub(crate) use watch::WatchArgs;
