//! The terminal: its modes, what is written to it and what is typed.

mod ansi;
mod bell;
mod doors;
mod key;
mod keyboard;
mod lifeline;
mod panics;
mod signals;

pub(crate) use ansi::Ansi;
pub use bell::Bell;
pub(crate) use bell::Clapper;
pub(crate) use doors::{Doors, Wakening};
pub(crate) use key::Key;
pub(crate) use keyboard::Keyboard;
pub use lifeline::Lifeline;
pub(crate) use panics::keep_panics;
