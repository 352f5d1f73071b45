//! Regular files: the kinds that are one, or change one, take nothing else for it.

use std::path::Path;

use uphold_resource::{Entry, EntryKind, Reading, Result, wrong_type};

/// The file at `path`; none if nothing is there.
///
/// # Errors
/// If it is no regular file.
pub(crate) fn look(path: &Path, host: &Reading<'_>) -> Result<Option<Entry>> {
    match host.files().look(path)? {
        Some(entry) if entry.kind != EntryKind::File => {
            Err(wrong_type(path, entry.kind.words(), "a regular file"))
        }
        found => Ok(found),
    }
}

/// The same, with what is in it.
///
/// # Errors
/// If it is no regular file, or cannot be read.
pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(Entry, Vec<u8>)>> {
    let Some(entry) = look(path, host)? else { return Ok(None) };
    let content = host.files().read(path, entry.size)?;
    Ok(Some((entry, content)))
}
