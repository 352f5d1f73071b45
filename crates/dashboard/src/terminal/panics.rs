//! Collects panics while the view uses the terminal.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic;

use super::terminal_mode::TerminalMode;

/// Keeps messages of panics until the terminal is restored, instead of writing them over the screen.
///
/// The process can continue after a panic: the engine catches those of kinds. While the view does not use the terminal,
/// panics are reported as usual.
pub(crate) fn collect_panics(terminal_mode: TerminalMode) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = || match Backtrace::capture() {
            trace if trace.status() == BacktraceStatus::Captured => format!("{info}\n{trace}"),
            _ => info.to_string(),
        };
        if !terminal_mode.collect_panic(message) {
            before(info);
        }
    }));
}
