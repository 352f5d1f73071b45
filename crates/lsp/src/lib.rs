//! The language server: what an editor asks about a configuration, answered.
//!
//! It speaks the Language Server Protocol, and knows only the library that every program can use: what is wrong with
//! a configuration comes from the reader and the engine, what a word means from the schemas. It runs nothing.

mod arrival;
mod body;
mod completion;
mod definition;
mod desk;
mod diagnosis;
mod formatting;
mod hover;
mod lifecycle;
mod references;
mod roots;
mod scope;
mod server;
mod sheet;
mod symbols;
mod target;
mod text;
mod wire;

pub use server::{Ending, Pages, Server};
