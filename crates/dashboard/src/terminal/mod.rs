//! The terminal: its modes, output and input.

mod ansi;
mod bell;
mod inputs;
mod keyboard;
mod terminal_mode;

pub(crate) use ansi::Ansi;
pub use bell::Bell;
pub(crate) use bell::BellReceiver;
pub(crate) use inputs::{Inputs, Wakeup};
pub(crate) use keyboard::{Key, Keyboard};
pub use terminal_mode::TerminalMode;
pub(crate) use terminal_mode::collect_panics;
