//! Templates in the language of Jinja.

mod engine;
mod filters;
mod functions;
mod guard;
mod meter;
mod mistake;
mod rewriting;

pub(crate) use functions::FUNCTIONS;
