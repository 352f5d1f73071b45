//! The kinds `tar` and `gzip`.

mod gzip;
mod members;
mod tar_archive;

pub use gzip::{Gzip, GzipChange, GzipGoal, GzipState, GzipWishes};
pub use tar_archive::{Tar, TarChange, TarGoal, TarState, TarWishes};
