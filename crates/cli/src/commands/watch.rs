//! `uphold watch`.

use uphold::Mode;

use crate::demo;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::show_error;
use crate::session::Session;
use crate::watch::{HoldFlags, hold, unit};

const EXAMPLES: &str = "\
Examples:
  uphold watch site.hcl                     make it so, and keep it so
  uphold watch --audit                      look only: tell what drifts
  uphold watch --until-converged 30s        end when nothing was changed for that long
  uphold watch --plain --verbose            lines with times and differences, also on a terminal
  uphold watch --json | jq .                the same for programs
  uphold watch --metrics 9100               metrics for Prometheus, at 127.0.0.1:9100
  uphold watch --print-unit > /etc/systemd/system/uphold.service";

/// Make the machine as it is declared, and keep it so
///
/// After a first walk, which is that of apply, the kernel reports what changes; the one resource concerned is looked at
/// and repaired, and what reads a value of it that changed. What fails is tried again, later and later.
///
/// A saved file of the configuration, of its modules or of its params is read at once, and only what differs is
/// visited; SIGHUP does the same. A configuration with mistakes is told, and the one before is held on.
///
/// SIGTERM and Ctrl-C end it kindly, and commands that run are asked to end; a second one kills them. Nothing is undone.
///
/// Exit code 0 says that everything was held at the end, 1 that something is wrong, 2 with --audit that something
/// differs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// On what.
    #[command(flatten)]
    input: Input,
    /// How.
    #[command(flatten)]
    flags: HoldFlags,
    /// Print a unit file for systemd that runs this command line, and end; it watches /etc/uphold unless files are named
    #[arg(long)]
    print_unit: bool,
}

/// Runs it.
pub(crate) fn run(args: &WatchArgs, session: &mut Session) -> Result<Exit, CliError> {
    let WatchArgs { input, flags, print_unit } = args;
    if *print_unit {
        let unit = unit(input, flags, session)?;
        session.ui.data(unit);
        return Ok(Exit::Success);
    }
    let folder = if input.demo { demo::prepare_root(Mode::Apply, session)? } else { None };
    let exit = hold(input, flags, session);
    let parted = folder.map_or(Ok(()), |folder| demo::part_with(&folder, Mode::Apply, &mut session.ui));
    parted.unwrap_or_else(|error| show_error(&error, &mut session.ui));
    Ok(exit)
}
