//! `uphold apply`.

use uphold::Mode;

use crate::journal::LockFlags;
use crate::plan_file;
use crate::run::{self, Run};
use crate::run_flags::RunFlags;
use crate::{CliError, Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold apply site.hcl                          apply a configuration
  uphold apply --ask                             show the plan, and ask before changing anything
  uphold apply --target service.nginx            only this resource and its dependencies
  uphold apply --exclude 'file[\"/etc/motd\"]'     all but this resource and its dependents
  uphold apply --audit --report audit.xml        change nothing; write a JUnit report for CI
  uphold apply site.plan                         exactly what `uphold plan --out site.plan` showed
  uphold apply --max-changes 10 --stop-after-failures 1
  uphold apply --allow-removals 25               remove so many resources that are no longer declared";

/// Change the machine to match the configuration
///
/// Only resources that differ are changed, in the order of their dependencies, and each change is verified. A failure
/// skips only its dependents.
///
/// Instead of a configuration, FILES can be a plan saved by `uphold plan --out FILE`. Then exactly the planned changes
/// are made; resources that changed since then are skipped and reported. The plan contains its params and --root, but
/// not its secrets: give those again.
///
/// The first Ctrl-C starts nothing new and asks running commands to end, the second kills them. The summary is printed
/// in both cases.
///
/// Exit code 0: everything is as declared. 1: something failed or was skipped. 2: something differs and was not
/// changed, because of --audit or because --ask was answered no. Blocks with `audit = true` are reported, and do not
/// change the exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    flags: RunFlags,
    /// Show the plan, and ask before changing anything
    #[arg(long, conflicts_with_all = ["json", "quiet", "audit"])]
    ask: bool,
    #[command(flatten)]
    lock: LockFlags,
}

pub(crate) fn run(args: &ApplyArgs, session: &mut Session) -> Result<Exit, CliError> {
    let ApplyArgs { input, flags, ask, lock } = args;
    let saved = match plan_file::find(input) {
        Ok(saved) => saved,
        Err(error) => return Ok(run::refuse(&error, session)),
    };
    Ok(Run { ask: *ask, saved: saved.as_ref(), lock: Some(lock), ..Run::new(input, flags, Mode::Apply) }
        .run(session))
}
