//! The kinds `gzip` and `tar`, and what reads and writes archives for them and for `archive`.

mod compression;
mod gzip;
mod item;
mod members;
mod packed_file;
mod tar;
mod tarball;
mod unpack;
mod zipped;

pub use compression::Compression;
pub use gzip::{Gzip, GzipChange, GzipGoal, GzipState, GzipWishes};
pub use packed_file::{PackedFile, PackedFileChange, PackedFileGoal, PackedFileState, PackedFileWishes};
pub use tar::{Tar, TarChange, TarGoal, TarState, TarWishes};

pub(crate) use compression::Packer;
pub(crate) use item::{Item, ItemKind};
pub(crate) use unpack::{broken, walk};
