//! The kinds `gzip` and `tar`.

mod gzip;
mod members;
mod packed_file;
mod tar;

pub use gzip::{Gzip, GzipChange, GzipGoal, GzipState, GzipWishes};
pub use packed_file::{PackedFile, PackedFileChange, PackedFileGoal, PackedFileState, PackedFileWishes};
pub use tar::{Tar, TarChange, TarGoal, TarState, TarWishes};
