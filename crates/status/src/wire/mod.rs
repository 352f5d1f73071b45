//! A snapshot as JSON, and back: `docs/status.md` is the promise. Our types may change; this may only grow.

mod read;
mod word;
mod write;

pub(crate) use word::FORMAT_VERSION;

pub use read::Unreadable;
