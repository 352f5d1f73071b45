//! The parent directory of a new file.

use std::path::Path;

use uphold_resource::{Error, ErrorKind, Reading, Result};

/// Checks that the parent directory exists, or that another resource creates it. For `check_create`, so that a plan fails
/// as the apply would.
///
/// # Errors
/// `ParentMissing`, with the declaration of the directory as a hint.
pub fn check(path: &Path, host: &Reading<'_>) -> Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    if host.provides(parent) || host.files().look(parent)?.is_some() {
        return Ok(());
    }
    let what =
        format!("{} cannot be created: {} does not exist", path.display(), host.shown(parent).display());
    let is_missing = |path: &Path| Ok(!host.provides(path) && host.files().look(path)?.is_none());
    let property = match parent.parent().map(is_missing).transpose()? {
        Some(true) => ", with `recursive = true`",
        _ => "",
    };
    Err(Error::new(ErrorKind::ParentMissing, what)
        .hint(format!("declare it: directory {parent:?} {{}}{property}")))
}
