//! Log lines on standard error, if `UPHOLD_LOG` asks for them.

use std::io::IsTerminal;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use crate::error::CliError;

/// A level, or `CRATE=LEVEL` with commas in between.
const VARIABLE: &str = "UPHOLD_LOG";

/// Starts logging if the variable is set.
///
/// # Errors
/// If its value is neither a level nor a list of crates with levels.
#[expect(clippy::disallowed_methods, reason = "the command reads what its user set; no library does")]
pub(crate) fn start() -> Result<(), CliError> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Ok(()) };
    let value = value.to_string_lossy();
    let targets: Targets = value.parse().map_err(|_| {
        CliError::new(format!("{VARIABLE}={value} is invalid")).hint(
            "set it to error, warn, info, debug or trace, or to a list such as uphold_engine=debug,info",
        )
    })?;
    let lines = fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    // A program around us may have a subscriber of its own.
    let _ = registry().with(targets).with(lines).try_init();
    Ok(())
}

/// Whether log lines would go to a terminal, and through whatever is drawn there.
#[cfg_attr(not(feature = "dashboard"), expect(dead_code, reason = "only the terminal view asks"))]
pub(crate) fn is_on_terminal() -> bool {
    LevelFilter::current() != LevelFilter::OFF && std::io::stderr().is_terminal()
}
