//! The current state of a file.

use uphold_kit::digest::Digest;
use uphold_resource::{Entry, EntryKind, Found, Lazy, Look, Mode, Property, READ_LIMIT, Result, wrong_type};

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
    Ok(FileState {
        content: Lazy::UNREAD,
        mode: Mode::new(entry.mode),
        ownership: file.ownership.load(entry, look)?,
        sha256: Lazy::UNREAD,
        size: entry.size,
    })
}

/// Another type of file, to be replaced. It has no mode that the new file could keep.
fn other(file: &File, entry: &Entry, words: &'static str, look: &Look<'_>) -> Result<FileState> {
    Ok(FileState {
        content: Content::other(words).into(),
        mode: file.mode.get().map_or(NEW, |mode| mode.settle(None)),
        ownership: file.ownership.load(entry, look)?,
        sha256: None.into(),
        size: entry.size,
    })
}

impl FileState {
    /// The type of file that is in the way.
    pub(super) fn instead(&self) -> Option<&'static str> {
        self.content.get().and_then(Content::instead)
    }
}

impl File {
    /// The content, if it is needed. Content that matches is shared with the declaration instead of being copied.
    ///
    /// Any user may own the file, so its size is compared first: another size needs no comparison, and a large file no
    /// diff.
    pub(super) fn current_content(&self, state: &FileState, look: &Look<'_>) -> Result<Content> {
        let compared = self.content.get().filter(|_| self.content.is_set());
        let declared = compared.and_then(|declared| Some((declared, declared.bytes()?.len() as u64)));
        if let Some((_, length)) = declared
            && length != state.size
            && state.size > DIFF_LIMIT
            && look.desired().is_some()
        {
            return Ok(Content::sized(state.size));
        }
        let limit = declared.map_or(READ_LIMIT, |(_, length)| length.max(READ_LIMIT));
        let bytes = look.files().read_within(&self.path, state.size, limit)?;
        match declared {
            Some((declared, _)) if declared.bytes() == Some(&bytes) => Ok(declared.clone()),
            _ => Ok(bytes.into()),
        }
    }

    /// The digest, if it is needed. Content that was not loaded because it differs has none.
    pub(super) fn current_digest(&self, state: &FileState, look: &Look<'_>) -> Result<Option<Digest>> {
        match state.content.get() {
            Some(content) => Ok(content.bytes().map(Digest::of)),
            None => Digest::of_file(&self.path, look).map(Some),
        }
    }
}
