//! Archives, read as if they were directories.

mod budget;
mod contents;
mod format;
mod tarball;
mod zipped;

pub(crate) use budget::LARGEST;
pub(crate) use contents::{Contents, FoundEntry, Node};
pub(crate) use format::Format;
