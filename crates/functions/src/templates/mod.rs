//! Jinja templates.

mod engine;
mod filters;
mod functions;
mod guard;
mod meter;
mod rewriting;

pub(crate) use functions::FUNCTIONS;
