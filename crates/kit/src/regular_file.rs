//! Regular files, for kinds that accept no other type of file.

use std::io::Read;
use std::path::Path;

use uphold_resource::{
    Access, Act, Entry, EntryKind, Error, ErrorKind, NewFile, READ_LIMIT, Reading, Result, wrong_type,
};

/// The number of bytes read at once.
const PIECE: usize = 64 * 1024;

/// The file at `path`; none if it does not exist.
///
/// # Errors
/// If it is not a regular file.
pub fn look(path: &Path, host: &Reading<'_>) -> Result<Option<Entry>> {
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
pub fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(Entry, Vec<u8>)>> {
    let Some(entry) = look(path, host)? else { return Ok(None) };
    let content = host.files().read(path, entry.size)?;
    Ok(Some((entry, content)))
}

/// The text of the file at `path`; invalid UTF-8 is replaced by U+FFFD.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub fn read_text(path: &Path, host: &Reading<'_>) -> Result<Option<String>> {
    Ok(read(path, host)?.map(|(_, content)| String::from_utf8_lossy(&content).into_owned()))
}

/// Writes the whole file at `path`, in one step. Owner and mode are kept; a new file gets mode 0600.
///
/// # Errors
/// If it cannot be written, or something else than a regular file is there.
pub fn write(path: &Path, content: impl AsRef<[u8]>, host: &Act<'_>) -> Result<()> {
    host.edits().write(path, &NewFile::new(content.as_ref(), Access::default()))
}

/// Passes the content of the regular file at `path` to `take`, piece by piece, so that a file of any size needs little
/// memory.
///
/// # Errors
/// If it cannot be read, or the failure of `take`.
pub fn each_piece(path: &Path, host: &Reading<'_>, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut file = host.open(path)?;
    let mut buffer = vec![0; PIECE];
    loop {
        match file.read(&mut buffer).map_err(|error| Error::io("read", path, error))? {
            0 => return Ok(()),
            read => take(&buffer[..read])?,
        }
    }
}

/// The content at `path`, for an edit in `apply`; none if it does not exist. Unlike [`read`], it refuses a path that
/// leads through a symbolic link of another user, because `load` may have read through one that was planted since.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub fn read_to_edit(path: &Path, host: &Act<'_>) -> Result<Option<Vec<u8>>> {
    match host.edits().content(path, READ_LIMIT) {
        Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => Ok(None),
        content => content.map(Some),
    }
}
