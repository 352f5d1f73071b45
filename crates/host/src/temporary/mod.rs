//! Temporary files, directories and links that are not in place yet.

mod file;
mod in_use;
mod leftovers;
mod mounted_file;
mod name;
mod replacement;

pub(crate) use file::Temporary;
pub(crate) use in_use::{is_own_temporary, mark};
pub(crate) use leftovers::Leftovers;
pub(crate) use name::{is_nameless, is_temporary, unguessable};
