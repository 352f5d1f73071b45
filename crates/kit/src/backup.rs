//! Old versions next to a file: `.NAME.uphold-backup-N`, 1 being the newest.

use std::io;
use std::path::{Path, PathBuf};

use uphold_resource::{Access, Act, Entry, EntryKind, Error, OpenFile, Reading, Result, sibling_name};

/// The number of bytes compared at once.
const PIECE: usize = 64 * 1024;

/// The read, write and execute bits.
const PERMISSIONS: u32 = 0o777;

/// Keeps the file at `path` as the newest of `count` old versions, and removes older ones.
///
/// Does nothing if `count` is 0 or `path` is not a regular file. Versions are copies, because a hard link would
/// change along with the file. Set-id bits are dropped: an old program may have been replaced because it was
/// insecure.
pub fn keep(path: &Path, count: u32, host: &Act<'_>) -> Result<()> {
    if count == 0 || !is_file(path, host)? {
        return Ok(());
    }
    keep_all(path, count, host)
        .map_err(|error| error.while_(format!("cannot keep the old version of {}", path.display())))
}

fn keep_all(path: &Path, count: u32, host: &Act<'_>) -> Result<()> {
    let mut kept = 0;
    while kept < u32::MAX && is_file(&version(path, kept + 1), host)? {
        kept += 1;
    }
    let place = |n: u32| if n == 0 { path.to_owned() } else { version(path, n) };
    // All versions move up, until one that exists twice because an interrupted run has already copied it.
    let mut moving = kept.saturating_add(1).min(count);
    for n in 0..kept.min(moving) {
        if is_same(&place(n), &place(n + 1), host)? {
            moving = n;
            break;
        }
    }
    for n in (0..moving).rev() {
        copy(&place(n), &place(n + 1), host)?;
    }
    (count.saturating_add(1)..=kept).try_for_each(|n| host.edits().remove_file(&version(path, n)))
}

fn copy(from: &Path, to: &Path, host: &Act<'_>) -> Result<()> {
    host.edits().copy(from, to)?;
    match file(to, host)? {
        Some(copied) if copied.mode & !PERMISSIONS != 0 => {
            let access = Access { mode: Some(copied.mode & PERMISSIONS), ..Access::default() };
            host.edits().set_access(to, &copied, &access)
        }
        _ => Ok(()),
    }
}

/// Whether two files have the same content.
fn is_same(one: &Path, other: &Path, host: &Reading<'_>) -> Result<bool> {
    let (Some(first), Some(second)) = (file(one, host)?, file(other, host)?) else { return Ok(false) };
    if first.size != second.size {
        return Ok(false);
    }
    let mut pieces = (vec![0; PIECE], vec![0; PIECE]);
    let (mut first, mut second) = (host.open(one)?, host.open(other)?);
    loop {
        let read = fill(&mut *first, &mut pieces.0).map_err(|error| Error::io("read", one, error))?;
        let also = fill(&mut *second, &mut pieces.1).map_err(|error| Error::io("read", other, error))?;
        if pieces.0[..read] != pieces.1[..also] {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut dyn OpenFile, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn is_file(path: &Path, host: &Reading<'_>) -> Result<bool> {
    Ok(file(path, host)?.is_some())
}

/// The entry at `path`, if it is a regular file.
fn file(path: &Path, host: &Reading<'_>) -> Result<Option<Entry>> {
    Ok(host.files().look(path)?.filter(|entry| entry.kind == EntryKind::File))
}

/// The path of the `n`th old version of `path`.
fn version(path: &Path, n: u32) -> PathBuf {
    path.with_file_name(sibling_name(path.file_name().unwrap_or_default(), &format!("backup-{n}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_hidden_siblings() {
        assert_eq!(version(Path::new("/etc/motd"), 2), Path::new("/etc/.motd.uphold-backup-2"));
        let long = version(&Path::new("/etc").join("x".repeat(255)), 1);
        assert_eq!(long.file_name().map(std::ffi::OsStr::len), Some(255));
    }
}
