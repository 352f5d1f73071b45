//! Templates in the language of Jinja.

mod engine;
mod functions;
mod meter;
mod mistake;

pub(crate) use functions::FUNCTIONS;
