//! Open files by their names in `/proc`, which is not mounted everywhere.

use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;
use std::sync::OnceLock;

use crate::calls;

const DIRECTORY: &str = "/proc/self/fd";

/// The name of an open file, whatever has become of the name that it was opened by.
pub(crate) fn path(handle: impl AsFd) -> String {
    format!("{DIRECTORY}/{}", handle.as_fd().as_raw_fd())
}

/// Whether open files have such names. Looked at once.
pub(crate) fn are_there() -> bool {
    static ARE_THERE: OnceLock<bool> = OnceLock::new();
    *ARE_THERE.get_or_init(|| calls::metadata(Path::new(DIRECTORY)).is_ok_and(|about| about.is_dir()))
}
