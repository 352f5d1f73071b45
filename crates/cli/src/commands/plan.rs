//! `uphold plan`.

use std::path::PathBuf;

use uphold::Mode;

use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::run::Run;
use crate::run_flags::RunFlags;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold plan site.hcl                         what would be done
  uphold plan -v                               and why, and what is as declared
  uphold plan --target 'file[\"/etc/motd\"]'     only that, and what it stands on
  uphold plan --report plan.json               written down, for programs
  uphold plan --out site.plan                  saved, for `uphold apply site.plan`";

/// Show what differs between the machine and the configuration, and why
///
/// Nothing is changed. Queries and the checks of tasks do run, because they only look.
///
/// The signs: + is created, ~ is changed, - is removed, ! runs, ? may change, which only the
/// run of something before it will tell.
///
/// Exit code 0 says that there is nothing to do, 2 that there are changes to make, 1 that
/// something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
    /// How.
    #[command(flatten)]
    flags: RunFlags,
    /// Save the plan, so that `uphold apply FILE` does exactly that
    #[arg(long, value_name = "FILE", conflicts_with_all = ["demo", "audit"])]
    out: Option<PathBuf>,
}

/// Runs it.
pub(crate) fn run(args: &PlanArgs, session: &mut Session) -> Result<Exit, CliError> {
    let PlanArgs { input, flags, out } = args;
    Ok(Run { out: out.as_deref(), ..Run::new(input, flags, Mode::Plan) }.run(session))
}
