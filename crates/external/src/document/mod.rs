//! The text of a manifest, its data, and places in it.

mod located;
mod place;
mod yaml;

pub use located::Fault;
pub(crate) use located::Located;
pub(crate) use place::Document;
