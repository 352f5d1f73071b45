//! `uphold watch`.

use uphold::Mode;

use crate::demo;
use crate::watch::{WatchFlags, unit, watch};
use crate::{CliError, Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold watch site.hcl                     apply, then repair drift until interrupted
  uphold watch --audit                      report drift, and change nothing
  uphold watch --until-converged 30s        exit when nothing changed for 30 seconds
  uphold watch --plain --verbose            print log lines with differences, also on a terminal
  uphold watch --json | jq .                print events as JSON
  uphold watch --metrics 9100               serve Prometheus metrics at 127.0.0.1:9100
  uphold watch --print-unit > /etc/systemd/system/uphold.service";

/// Apply the configuration, then watch for drift and repair it
///
/// The kernel reports changes; only the changed resource is checked and repaired, and the resources that read a changed
/// value of it. Failed resources are retried with increasing delays.
///
/// When a file of the configuration, its modules or its params changes, it is reloaded at once, and only what differs
/// is checked. SIGHUP reloads, too. An invalid configuration is reported; the previous one stays in force.
///
/// SIGTERM and Ctrl-C stop the watch gracefully and ask running commands to end; a second signal kills them. Nothing is
/// undone.
///
/// Exit code 0: everything was as declared at the end. 1: something failed. 2: with --audit, something differs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    flags: WatchFlags,
    /// Print a systemd unit that runs this command, and exit
    ///
    /// It watches /etc/uphold unless FILES are given.
    #[arg(long)]
    print_unit: bool,
}

pub(crate) fn run(args: &WatchArgs, session: &mut Session) -> Result<Exit, CliError> {
    let WatchArgs { input, flags, print_unit } = args;
    if *print_unit {
        let unit = unit(input, flags, session)?;
        session.ui.data(unit);
        return Ok(Exit::Success);
    }
    if !input.demo {
        return Ok(watch(input, flags, session));
    }
    demo::in_root(Mode::Apply, session, |session| watch(input, flags, session))
}
