//! YAML as nodes with their places in the text, and the scalars of its core schema.
//!
//! # Guarantees
//! No text exhausts the stack or the memory: nesting is limited, and so are the values with all aliases expanded.

mod node;
mod reader;
mod scalar;

pub use node::{Body, Error, Node, Scalar, Style};
pub use reader::{read, read_one};
