//! The language server: answers an editor's questions about a configuration.
//!
//! It speaks the Language Server Protocol and uses only the public library: diagnostics come from the reader and the
//! engine, documentation from the schemas. It runs no program.

mod attributes;
mod completion;
mod diagnostics;
mod dispatch;
mod document;
mod expression_completion;
mod hover;
mod navigation;
mod scope;
mod server;
mod symbols;
mod transport;
mod uri;
mod workspace;

pub use server::{Ending, Pages, Server};
