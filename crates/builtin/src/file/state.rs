//! The current state of a file.

use uphold_kit::digest::Digest;
use uphold_resource::{Entry, EntryKind, Found, Look, Mode, Property, READ_LIMIT, Result, wrong_type};

use super::Content;
use super::resource::{File, FileState};

/// The mode of a new file.
pub(crate) const NEW: Mode = Mode::new(0o644);

/// A larger file is not read to show a diff.
const DIFF_LIMIT: u64 = 1 << 20;

/// The current state; none if nothing exists. Costs one `lstat`, and one read if the content is needed.
pub(crate) fn load(file: &File, look: &Look<'_>) -> Result<Found<File>> {
    let Some(entry) = look.files().look(&file.path)? else { return Ok(Found::Absent) };
    match &entry.kind {
        EntryKind::File => regular(file, &entry, look).map(Found::This),
        kind if file.force => other(file, &entry, kind.words(), look).map(Found::This),
        kind => {
            let hint = "move it elsewhere, or choose another path";
            Err(wrong_type(&*file.path, kind.words(), "a regular file").hint(hint))
        }
    }
}

fn regular(file: &File, entry: &Entry, look: &Look<'_>) -> Result<FileState> {
    let (content, sha256) = content(file, entry, look)?;
    Ok(FileState {
        content,
        mode: Mode::new(entry.mode),
        ownership: file.ownership.load(entry, look)?,
        sha256,
        size: entry.size,
    })
}

/// Another type of file, to be replaced. It has no mode that the new file could keep.
fn other(file: &File, entry: &Entry, words: &'static str, look: &Look<'_>) -> Result<FileState> {
    Ok(FileState {
        content: Content::other(words),
        mode: file.mode.get().map_or(NEW, |mode| mode.settle(None)),
        ownership: file.ownership.load(entry, look)?,
        sha256: None,
        size: entry.size,
    })
}

/// The content and its digest, if they are needed. Content that matches is shared with the declaration instead of
/// being copied.
///
/// Any user may own the file, so its size is compared first: another size needs no comparison, and a large file no
/// diff.
fn content(file: &File, entry: &Entry, look: &Look<'_>) -> Result<(Content, Option<Digest>)> {
    let compared = file.content.get().filter(|_| file.content.is_set());
    let declared = compared.and_then(|declared| Some((declared, declared.bytes()?.len() as u64)));
    let digest = look.needs("sha256");
    match declared {
        Some((_, length)) if length != entry.size && entry.size > DIFF_LIMIT && look.desired().is_some() => {
            return Ok((Content::sized(entry.size), None));
        }
        None if !look.needs("content") => {
            return Ok((Content::UNREAD, digest.then(|| Digest::of_file(&file.path, look)).transpose()?));
        }
        _ => {}
    }
    let limit = declared.map_or(READ_LIMIT, |(_, length)| length.max(READ_LIMIT));
    let bytes = look.files().read_within(&file.path, entry.size, limit)?;
    let digest = digest.then(|| Digest::of(&bytes));
    match declared {
        Some((declared, _)) if declared.bytes() == Some(&bytes) => Ok((declared.clone(), digest)),
        _ => Ok((bytes.into(), digest)),
    }
}
