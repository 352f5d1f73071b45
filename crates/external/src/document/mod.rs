//! The text of a manifest, its data, and places in it.

mod fault;
mod located;
mod place;
mod text;
mod yaml;

pub use fault::Fault;
pub(crate) use located::Located;
pub(crate) use text::Document;
