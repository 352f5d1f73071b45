//! `uphold drift`.

use crate::drift;
use crate::{Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold drift                          what was changed outside Uphold since the last apply
  uphold drift site.hcl || uphold apply site.hcl
  uphold drift --json | jq -r 'select(.type == \"resource_finished\").resource.address'";

/// Show what was changed outside Uphold
///
/// Each resource is compared with the machine as it is now, and with the values after the last apply. Differences that
/// are new in the configuration are only counted. Nothing is changed.
///
/// The signs are those of a plan: + was removed and will be created, ~ was changed, - was created and will be removed.
///
/// Exit code 0: no drift, or no apply of the configuration is recorded yet. 2: something was changed outside Uphold. 1: something failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DriftArgs {
    #[command(flatten)]
    input: Input,
}

pub(crate) fn run(args: &DriftArgs, session: &mut Session) -> Exit {
    drift::run(&args.input, session)
}
