//! The text of a manifest, what it says, and where.

mod fault;
mod place;
mod spot;
mod text;
mod yaml;

pub use fault::Fault;
pub(crate) use spot::Spot;
pub(crate) use text::Document;
