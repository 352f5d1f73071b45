//! What has a temporary name: files, directories and links on their way to their place.

mod file;
mod in_use;
mod leftovers;
mod mounted_file;
mod name;
mod replacement;

pub(crate) use file::Temporary;
pub(crate) use in_use::{is_passing, mark};
pub(crate) use leftovers::Leftovers;
pub(crate) use name::{is_nameless, is_temporary, unguessable};
