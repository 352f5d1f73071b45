//! `uphold plan`.

use std::path::PathBuf;

use uphold::Mode;

use crate::run::Run;
use crate::run_flags::RunFlags;
use crate::{CliError, Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold plan site.hcl                         show the changes
  uphold plan -v                               with reasons, and with unchanged resources
  uphold plan --target 'file[\"/etc/motd\"]'     only this resource and its dependencies
  uphold plan --report plan.json               write a report for programs
  uphold plan --out site.plan                  save the plan for `uphold apply site.plan`";

/// Show what apply would change, and why
///
/// Nothing is changed. Queries and the checks of tasks do run, because they only read.
///
/// + will be created, ~ changed, - removed, ! will run, ? may change: that depends on the result of a dependency.
///
/// Exit code 0: no changes. 2: there are changes. 1: something failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    flags: RunFlags,
    /// Save the plan, to be applied with `uphold apply FILE`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["demo", "audit"])]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &PlanArgs, session: &mut Session) -> Result<Exit, CliError> {
    let PlanArgs { input, flags, out } = args;
    Ok(Run { out: out.as_deref(), ..Run::new(input, flags, Mode::Plan) }.run(session))
}
