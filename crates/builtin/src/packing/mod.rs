//! Archives and compressed files, processed piece by piece.

mod compression;
mod item;
mod tarball;
mod unpack;
mod zipped;
mod zstandard;

pub use compression::Compression;

pub(crate) use compression::Packer;
pub(crate) use item::{Item, ItemKind};
pub(crate) use unpack::{broken, walk};
