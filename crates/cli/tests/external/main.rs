//! Kinds that are programs, from outside: the examples, and what people are told about them.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

#[path = "../binary/mod.rs"]
mod binary;
mod example;
mod mistakes;
mod package;

/// The directory with the example's configuration; its kinds are beside it.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/external");
