//! A file of which a part is changed.

use std::sync::Arc;

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Access, EntryKind, Error, ErrorKind, Host, NewFile, Observe, Parsed, Result, wrong_type,
};

/// What a file gets that is created by a change of a part.
const NEW_FILE: u32 = 0o644;

/// A file of which a part is changed, and whether it may be created for that.
#[derive(Clone, Copy)]
pub(crate) struct EditedFile<'a> {
    pub(crate) path: &'a AbsolutePath,
    pub(crate) create: bool,
}

impl EditedFile<'_> {
    /// What `T` makes of what is there; none if nothing is. It is read once for all who ask, and again only if it changed.
    ///
    /// # Errors
    /// If it is no regular file, or cannot be read or understood.
    pub(crate) fn parsed<T: Parsed>(self, host: &dyn Observe) -> Result<Option<Arc<T>>> {
        match host.files().look(self.path)? {
            Some(entry) if entry.kind != EntryKind::File => {
                Err(wrong_type(&**self.path, entry.kind.words(), "a regular file"))
            }
            Some(_) => host.parsed(self.path),
            None => Ok(None),
        }
    }

    /// What is there; none if nothing is.
    ///
    /// # Errors
    /// If it is no regular file, or cannot be read.
    pub(crate) fn read(self, host: &dyn Observe) -> Result<Option<Vec<u8>>> {
        let Some(entry) = host.files().look(self.path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => host.files().read(self.path, entry.size).map(Some),
            kind => Err(wrong_type(&**self.path, kind.words(), "a regular file")),
        }
    }

    /// Writes what `edit` makes of what is there, unless that is the same. Owner and mode stay; a new
    /// file gets mode 0644.
    ///
    /// # Errors
    /// Whatever `edit` fails with, and then nothing is touched; or that there is no file, and none may
    /// be created.
    pub(crate) fn rewrite(self, host: &dyn Host, edit: impl FnOnce(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
        let old = existing(self.path, host)?;
        if old.is_none() && !self.create {
            let what = format!("{} does not exist", self.path);
            let hint = "declare the file, or set `create = true`";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let content = edit(old.as_deref().unwrap_or_default()).map_err(|error| self.failed(error))?;
        if old.as_ref() == Some(&content) {
            return Ok(());
        }
        let access = Access { mode: old.is_none().then_some(NEW_FILE), ..Access::default() };
        let file = NewFile { content: &content, access, verify: None, replace_other: false };
        host.edits().write(self.path, &file)
    }

    /// The same failure, with the file that it happened to.
    pub(crate) fn failed(self, error: Error) -> Error {
        error.while_(format!("cannot edit {}", self.path))
    }
}

/// What is at `path`, to be written back; none if nothing is. What `load` saw does not count: it may have come
/// through a link that somebody planted on the way.
pub(crate) fn existing(path: &Path, host: &dyn Host) -> Result<Option<Vec<u8>>> {
    match host.edits().content(path) {
        Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => Ok(None),
        content => content.map(Some),
    }
}
