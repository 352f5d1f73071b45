//! One file per command: its arguments, whose doc comment is the help page, and one function.

pub(crate) mod apply;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod graph;
pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod validate;

pub(crate) use apply::ApplyArgs;
pub(crate) use completions::CompletionsArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use graph::GraphArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use read::ReadArgs;
pub(crate) use validate::ValidateArgs;
