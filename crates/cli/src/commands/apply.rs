//! `uphold apply`.

use uphold::Mode;

use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::plan_file;
use crate::run::{self, Run};
use crate::run_flags::RunFlags;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold apply site.hcl                          make it so
  uphold apply --ask                             show the plan, ask, then make it so
  uphold apply --target service.nginx            only that, and what it stands on
  uphold apply --exclude 'file[\"/etc/motd\"]'     all but that, and what stands on it
  uphold apply --audit --report audit.xml        look only; a JUnit report for CI
  uphold apply site.plan                         what `uphold plan --out site.plan` showed, and nothing else
  uphold apply --max-changes 10 --stop-after-failures 1";

/// Make the machine as it is declared
///
/// Only what differs is changed, in the order of the dependencies, and each change is looked at
/// again. What fails keeps only those back that stand on it.
///
/// Instead of a configuration, a plan can be named that `uphold plan --out FILE` saved. Then exactly what it showed is
/// done; what has changed since is skipped, and told. Params and --root are the plan's own, but secrets have to be
/// given again.
///
/// Ctrl-C: nothing new is started, and commands that run are asked to end; a second one kills
/// them. What was done and what was not is told either way.
///
/// Exit code 0 says that everything is as declared now, 1 that something is wrong or was skipped, 2 that
/// something differs and was left so: with --audit, or because the answer to --ask was no. A block with `audit = true`
/// that differs is reported, and does not change the exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ApplyArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
    /// How.
    #[command(flatten)]
    flags: RunFlags,
    /// Show the plan, and ask before anything is changed
    #[arg(long, conflicts_with_all = ["json", "quiet", "audit"])]
    ask: bool,
}

/// Runs it.
pub(crate) fn run(args: &ApplyArgs, session: &mut Session) -> Result<Exit, CliError> {
    let ApplyArgs { input, flags, ask } = args;
    let saved = match plan_file::find(input) {
        Ok(saved) => saved,
        Err(error) => return Ok(run::refuse(&error, session)),
    };
    Ok(Run { ask: *ask, saved: saved.as_ref(), ..Run::new(input, flags, Mode::Apply) }.run(session))
}
