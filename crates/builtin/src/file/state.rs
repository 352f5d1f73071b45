//! What is there, as a `file` sees it.

use uphold_resource::{Entry, EntryKind, Mode, Property, READ_LIMIT, Reading, Result, wrong_type};

use super::resource::{File, FileState};
use super::{Content, Digest};
use crate::ownership;

/// What a new file gets when no mode was asked for.
pub(crate) const NEW: Mode = Mode::new(0o644);

/// A longer file is not read to show how it differs.
const DIFF_LIMIT: u64 = 1 << 20;

/// What is there, or none. Costs one look, and one read if somebody asked for the content.
pub(crate) fn load(file: &File, host: &Reading<'_>) -> Result<Option<FileState>> {
    let Some(entry) = host.files().look(&file.path)? else { return Ok(None) };
    match &entry.kind {
        EntryKind::File => regular(file, &entry, host).map(Some),
        kind if file.force => other(file, &entry, kind.words(), host).map(Some),
        kind => {
            let hint = "set `force = true` if it may be replaced or removed";
            Err(wrong_type(&*file.path, kind.words(), "a regular file").hint(hint))
        }
    }
}

fn regular(file: &File, entry: &Entry, host: &Reading<'_>) -> Result<FileState> {
    let (content, sha256) = content(file, entry, host)?;
    Ok(FileState {
        content,
        mode: Mode::new(entry.mode),
        owner: ownership::owner(entry.uid, &file.owner, host)?,
        group: ownership::group(entry.gid, &file.group, host)?,
        sha256,
        size: entry.size,
    })
}

/// Something else, to be replaced. It has no mode that a file could keep.
fn other(file: &File, entry: &Entry, words: &'static str, host: &Reading<'_>) -> Result<FileState> {
    Ok(FileState {
        content: Content::other(words),
        mode: file.mode.get().map_or(NEW, |mode| mode.settle(None)),
        owner: ownership::owner(entry.uid, &file.owner, host)?,
        group: ownership::group(entry.gid, &file.group, host)?,
        sha256: None,
        size: entry.size,
    })
}

/// The content, if somebody asked for it, and its digest, likewise. Content that is right is
/// shared with the wish instead of being copied.
///
/// The file may be anybody's, so its size decides first: one that differs needs no comparison, and a long one no diff.
fn content(file: &File, entry: &Entry, host: &Reading<'_>) -> Result<(Content, Option<Digest>)> {
    let wish = file.content.get().and_then(|wish| Some((wish, wish.bytes()?.len() as u64)));
    let digest = host.needs("sha256");
    match wish {
        Some((_, length)) if length != entry.size && entry.size > DIFF_LIMIT => {
            return Ok((Content::sized(entry.size), None));
        }
        None if !host.needs("content") => {
            return Ok((Content::UNREAD, digest.then(|| Digest::of_file(&file.path, host)).transpose()?));
        }
        _ => {}
    }
    let limit = wish.map_or(READ_LIMIT, |(_, length)| length.max(READ_LIMIT));
    let bytes = host.files().read_within(&file.path, entry.size, limit)?;
    let digest = digest.then(|| Digest::of(&bytes));
    match wish {
        Some((wish, _)) if wish.bytes() == Some(&bytes) => Ok((wish.clone(), digest)),
        _ => Ok((bytes.into(), digest)),
    }
}
