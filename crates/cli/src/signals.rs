//! Signals that ask to end.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use uphold::resource::Stop;

use crate::error::CliError;

/// What a shell shows for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A wish to stop that the first signal makes: nothing new is started, commands are asked to end,
/// and the report is printed. The second signal ends at once.
pub(crate) fn stop() -> Result<Stop, CliError> {
    let stop = Stop::default();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: at the first signal the flag is not yet set when the shutdown looks.
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, stop.flag())
            .and_then(|_| signal_hook::flag::register(signal, stop.flag()))
            .map_err(|error| CliError::new(format!("cannot listen to signals: {error}")))?;
    }
    Ok(stop)
}
