//! Paths of open files in `/proc`, which is not mounted everywhere.

use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;
use std::sync::OnceLock;

use crate::calls;

const DIRECTORY: &str = "/proc/self/fd";

/// The path of an open file, whatever happened to the path that it was opened by.
pub(crate) fn path(handle: impl AsFd) -> String {
    format!("{DIRECTORY}/{}", handle.as_fd().as_raw_fd())
}

/// Whether such paths exist. Checked once.
pub(crate) fn are_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| calls::metadata(Path::new(DIRECTORY)).is_ok_and(|about| about.is_dir()))
}
