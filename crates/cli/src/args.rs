//! The command line, as clap reads it. Each command's own arguments stand in its file.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};

use crate::commands::{
    ApplyArgs, CompletionsArgs, ConsoleArgs, ExplainArgs, FactsArgs, FmtArgs, GraphArgs, InitArgs, LspArgs,
    PlanArgs, ReadArgs, SchemaArgs, ShowArgs, StatusArgs, TestArgs, ValidateArgs, WatchArgs,
};

const EXIT_CODES: &str = "\
Exit codes:
  0  done; for plan: nothing to do
  1  something is wrong: the command line, the configuration, or a resource; or something was skipped
  2  for plan: there are changes to make; for --audit: something differs; for --ask: the answer was no;
     for status: something is pending or differs";

/// Hold a Linux machine in the state that you declared
#[derive(Debug, Parser)]
#[command(name = "uphold", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// How to do it.
    #[command(flatten)]
    pub(crate) flags: Flags,
}

/// Flags of all commands.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Flags of all commands")]
pub(crate) struct Flags {
    /// Print JSON lines for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How many resources to visit at a time; as many as there are cores unless set
    #[arg(long, global = true, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Take this directory for the whole machine: nothing outside it is touched
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Take kinds from the files in this directory, too; can be repeated. Those in `kinds` beside the configuration, and
    /// in the directories of UPHOLD_KINDS_PATH, count in any case
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) kinds: Vec<PathBuf>,
    /// Print errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print also what is as declared, why something was done, and how long it took
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(InitArgs),
    Plan(PlanArgs),
    Apply(ApplyArgs),
    Watch(WatchArgs),
    Status(StatusArgs),
    Show(ShowArgs),
    Validate(ValidateArgs),
    Test(TestArgs),
    Fmt(FmtArgs),
    Console(ConsoleArgs),
    Graph(GraphArgs),
    Read(ReadArgs),
    Facts(FactsArgs),
    Explain(ExplainArgs),
    Schema(SchemaArgs),
    Lsp(LspArgs),
    Completions(CompletionsArgs),
}

impl Command {
    /// Whether it may run programs that files of kinds name. The others only read, wherever they are used.
    pub(crate) fn runs_programs(&self) -> bool {
        match self {
            Self::Plan(_) | Self::Apply(_) | Self::Watch(_) | Self::Read(_) | Self::Test(_) => true,
            Self::Init(_)
            | Self::Status(_)
            | Self::Show(_)
            | Self::Validate(_)
            | Self::Fmt(_)
            | Self::Console(_)
            | Self::Graph(_)
            | Self::Facts(_)
            | Self::Explain(_)
            | Self::Schema(_)
            | Self::Lsp(_)
            | Self::Completions(_) => false,
        }
    }
}
