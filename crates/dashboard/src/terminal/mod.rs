//! The terminal: its modes, output and input.

mod ansi;
mod bell;
mod inputs;
mod key;
mod keyboard;
mod panics;
mod signals;
mod terminal_mode;

pub(crate) use ansi::Ansi;
pub use bell::Bell;
pub(crate) use bell::BellReceiver;
pub(crate) use inputs::{Inputs, Wakeup};
pub(crate) use key::Key;
pub(crate) use keyboard::Keyboard;
pub(crate) use panics::collect_panics;
pub use terminal_mode::TerminalMode;
