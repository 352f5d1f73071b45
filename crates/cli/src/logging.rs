//! Log lines on standard error, enabled by `UPHOLD_LOG`.

use std::io::IsTerminal;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use crate::CliError;

/// A level, or a comma-separated list of `CRATE=LEVEL`.
const VARIABLE: &str = "UPHOLD_LOG";

/// Starts logging if the variable is set.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
pub(crate) fn start() -> Result<(), CliError> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Ok(()) };
    let value = value.to_string_lossy();
    let targets: Targets = value.parse().map_err(|_| {
        CliError::new(format!("{VARIABLE}={value} is invalid")).hint(
            "set it to error, warn, info, debug or trace, or to a list such as uphold_engine=debug,info",
        )
    })?;
    let lines = fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    // A program that embeds the command may have its own subscriber.
    let _ = registry().with(targets).with(lines).try_init();
    Ok(())
}

/// Whether log lines go to a terminal, where they would disturb the terminal view.
#[cfg_attr(not(feature = "dashboard"), expect(dead_code, reason = "only the terminal view needs it"))]
pub(crate) fn is_on_terminal() -> bool {
    LevelFilter::current() != LevelFilter::OFF && std::io::stderr().is_terminal()
}
