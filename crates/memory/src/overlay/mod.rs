//! A machine laid over another.

mod edits;
mod host;
mod look;

pub use host::Overlay;
