//! Panics while the screen is ours.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic;

use super::lifeline::Lifeline;

/// Keeps what panics say until the terminal is given back, instead of writing it over the picture.
///
/// A panic need not be the end: the engine catches those of a kind. At other times it is told as before.
pub(crate) fn keep_panics(lifeline: Lifeline) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = || match Backtrace::capture() {
            trace if trace.status() == BacktraceStatus::Captured => format!("{info}\n{trace}"),
            _ => info.to_string(),
        };
        if !lifeline.keep_panic(message) {
            before(info);
        }
    }));
}
