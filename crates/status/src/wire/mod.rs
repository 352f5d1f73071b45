//! A snapshot in the types of the protocol, and back.

mod read;
mod word;
mod write;

pub use read::Unreadable;
