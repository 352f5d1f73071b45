//! Regular files, for kinds that accept no other type of file.

use std::path::Path;

use uphold_resource::{Entry, EntryKind, Reading, Result, wrong_type};

/// The file at `path`; none if it does not exist.
///
/// # Errors
/// If it is not a regular file.
pub(crate) fn look(path: &Path, host: &Reading<'_>) -> Result<Option<Entry>> {
    match host.files().look(path)? {
        Some(entry) if entry.kind != EntryKind::File => {
            Err(wrong_type(path, entry.kind.words(), "a regular file"))
        }
        found => Ok(found),
    }
}

/// The file at `path` with its content.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(Entry, Vec<u8>)>> {
    let Some(entry) = look(path, host)? else { return Ok(None) };
    let content = host.files().read(path, entry.size)?;
    Ok(Some((entry, content)))
}
