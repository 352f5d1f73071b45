//! A layer over another machine.

mod edits;
mod host;
mod look;

pub use host::Overlay;
