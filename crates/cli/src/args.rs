//! The command line. The arguments of each command are in its own file below `commands`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};

use crate::commands::{
    apply, completions, console, explain, facts, fmt, graph, init, lsp, pause, plan, read, resume, schema,
    show, status, test, validate, watch,
};
use crate::{CliError, Exit, Session};

const MORE: &str = "\
Environment variables:
  UPHOLD_KINDS_PATH  more directories with kinds, separated by colons
  UPHOLD_PARAM_NAME  value of the param NAME
  UPHOLD_STATE       directory of the journal, unless --state is given
  UPHOLD_LOG         log level: error, warn, info, debug or trace

Exit codes:
  0  success; plan: no changes
  1  error in the command line or the configuration, or a resource failed or was skipped
  2  plan: there are changes; --audit: something differs; --ask: answered no;
     status: something is pending, differs or is paused";

/// Keep a Linux machine in its declared state
#[derive(Debug, Parser)]
#[command(name = "uphold", version, after_help = MORE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) flags: Flags,
}

/// Flags of all commands.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Flags {
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Work on at most N resources at a time [default: number of cores]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Manage this directory instead of the machine
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Keep the journal in this directory [default: /var/lib/uphold for root]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
    /// Load more kinds from this directory; can be repeated
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) kinds: Vec<PathBuf>,
    /// Print only errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print unchanged resources, reasons and durations, too
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// Choose when to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

/// The commands, in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::InitArgs),
    Plan(plan::PlanArgs),
    Apply(apply::ApplyArgs),
    Watch(watch::WatchArgs),
    Status(status::StatusArgs),
    Pause(pause::PauseArgs),
    Resume(resume::ResumeArgs),
    Show(show::ShowArgs),
    Validate(validate::ValidateArgs),
    Test(test::TestArgs),
    Fmt(fmt::FmtArgs),
    Console(console::ConsoleArgs),
    Graph(graph::GraphArgs),
    Read(read::ReadArgs),
    Facts(facts::FactsArgs),
    Explain(explain::ExplainArgs),
    Schema(schema::SchemaArgs),
    Lsp(lsp::LspArgs),
    Completions(completions::CompletionsArgs),
}

impl Command {
    /// Whether it may run programs that kind files name. All other commands only read.
    pub(crate) fn runs_programs(&self) -> bool {
        matches!(self, Self::Plan(_) | Self::Apply(_) | Self::Watch(_) | Self::Read(_) | Self::Test(_))
    }

    pub(crate) fn run(&self, session: &mut Session) -> Result<Exit, CliError> {
        match self {
            Self::Init(args) => init::run(args, session),
            Self::Plan(args) => plan::run(args, session),
            Self::Apply(args) => apply::run(args, session),
            Self::Watch(args) => watch::run(args, session),
            Self::Status(args) => status::run(args, session),
            Self::Pause(args) => pause::run(args, session),
            Self::Resume(args) => resume::run(args, session),
            Self::Show(args) => show::run(args, session),
            Self::Validate(args) => validate::run(args, session),
            Self::Test(args) => test::run(args, session),
            Self::Fmt(args) => fmt::run(args, session),
            Self::Console(args) => console::run(args, session),
            Self::Graph(args) => graph::run(args, session),
            Self::Read(args) => read::run(args, session),
            Self::Facts(args) => facts::run(args, session),
            Self::Explain(args) => explain::run(args, session),
            Self::Schema(args) => schema::run(args, session),
            Self::Lsp(args) => lsp::run(args, session),
            Self::Completions(args) => completions::run(args, session),
        }
    }
}
