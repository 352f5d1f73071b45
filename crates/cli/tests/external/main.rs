//! Kinds that are programs, tested with the real binary: the examples, and messages about them.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

#[path = "../binary/mod.rs"]
mod binary;
mod example;
mod mistakes;
mod package;

/// The directory with the configuration of the example and its kinds.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/external");
