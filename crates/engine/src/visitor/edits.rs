//! Files that a visit writes: writes are noted, and a file that holds a secret is not readable by all users.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use uphold_model::{PropertySchema, Type};
use uphold_resource::{
    Access, Entry, EntryKind, FileEdits, Mode, NewFile, Place, Receiver, Result, RunView, Verify,
};

use super::Visitor;
use crate::program::set::ResourceIndex;

/// Permission for users who are neither the owner nor in the group to read it.
const READ_BY_ALL: u32 = 0o004;

impl Visitor<'_> {
    /// Whether the modes of files are decided here, because the kind leaves no choice to the user. A kind that has a mode
    /// among its properties has another create default for secrets; a script sets modes itself.
    fn restricts_new_files(&self) -> bool {
        if !self.is_secret() && self.program.secret_paths.is_empty() {
            return false;
        }
        let is_mode = |property: &&PropertySchema| has_mode(property.ty);
        self.program
            .kind(self.node)
            .is_some_and(|kind| kind.is_compiled() && !kind.schema().all().iter().any(is_mode))
    }

    /// The access of a file at `path`, without permission for others that the file does not have already.
    fn restricted(&self, path: &Path, access: Access) -> Access {
        if !self.restricts_new_files() {
            return access;
        }
        let found = self.host.files().look(path).ok().flatten();
        let found = found.filter(|entry| entry.kind == EntryKind::File);
        if !self.is_secret() && (found.is_some() || !self.is_secret_path(path)) {
            return access;
        }
        let existing = found.as_ref().map_or(0, |entry| entry.mode);
        let mode = access.mode.map(|mode| Mode::restricted(mode, existing));
        if mode.unwrap_or(existing) & READ_BY_ALL != 0 {
            self.warn("every local user can read the file that a secret is written to: change its mode");
        }
        Access { mode, ..access }
    }
}

impl Visitor<'_> {
    /// Stages a write, if this visit does that, and the machine can.
    fn is_staged(&self, path: &Path, file: &NewFile<'_>) -> Result<bool> {
        let Some(staged) = &self.staged else { return Ok(false) };
        let access = self.restricted(path, file.access);
        match self.host.edits().stage(path, &NewFile { access, ..*file }) {
            Ok(Some(new)) => {
                staged.lock().push((path.to_owned(), new));
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => self.writes.noted(path, Err(error)),
        }
    }

    /// Writes a file with restricted access, and notes whether its verification rejected it. True if it was written.
    fn verifying(
        &self,
        path: &Path,
        file: &NewFile<'_>,
        write: impl FnOnce(&NewFile<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let access = self.restricted(path, file.access);
        let rejected = AtomicBool::new(false);
        let verify = file.verify.map(|verify| {
            let rejected = &rejected;
            move |candidate: &Path| verify(candidate).inspect_err(|_| rejected.store(true, Ordering::Relaxed))
        });
        let (resource, others) = (self.resource(), &self.visits.rejected);
        let is_of_other = |by: &ResourceIndex| *by != resource;
        let keeps_rejected = verify.is_some() && others.lock().get(path).is_some_and(is_of_other);
        let verify = verify.as_ref().map(|verify| verify as &Verify<'_>);
        let written = write(&NewFile { access, verify, keeps_rejected, ..*file });
        if rejected.into_inner() {
            others.lock().insert(path.to_owned(), resource);
            self.writes.rejected();
            return written;
        }
        self.writes.noted(path, written)
    }
}

fn has_mode(ty: &Type) -> bool {
    match ty {
        Type::Named { name: "mode", .. } => true,
        Type::Nullable(inner) | Type::Sensitive(inner) => has_mode(inner),
        _ => false,
    }
}

impl FileEdits for Visitor<'_> {
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        if self.is_staged(path, file)? {
            return Ok(());
        }
        self.verifying(path, file, |file| self.host.edits().write(path, file).map(|()| true)).map(drop)
    }

    fn write_over(&self, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
        self.verifying(path, file, |file| self.host.edits().write_over(path, old, file))
    }

    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>> {
        let receiver = self.writes.noted(path, self.host.edits().receive(path))?;
        if self.restricts_new_files() {
            return Ok(Box::new(RestrictedReceiver { receiver, visitor: self, path }));
        }
        Ok(receiver)
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        self.host.edits().content(path, limit)
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.writes.noted(path, self.host.edits().make_directory(path, access))
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.writes.noted(path, self.host.edits().make_link(path, target))
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.writes.noted_in_place(path, self.host.edits().make_hard_link(path, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        self.writes.noted_in_place(path, self.host.edits().set_access(path, seen, access))
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        self.writes.noted(to, self.host.edits().copy(from, to))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.writes.noted(path, self.host.edits().remove_file(path))
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        self.writes.noted(path, self.host.edits().remove_directory(path))
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.writes.noted(path, self.host.edits().remove_tree(path))
    }

    fn remove_leftovers(&self, directory: &Path) {
        self.host.edits().remove_leftovers(directory);
    }
}

/// A file that comes piece by piece, and is put at its path with restricted access.
struct RestrictedReceiver<'a> {
    receiver: Box<dyn Receiver + 'a>,
    visitor: &'a Visitor<'a>,
    path: &'a Path,
}

impl Receiver for RestrictedReceiver<'_> {
    fn length(&self) -> u64 {
        self.receiver.length()
    }

    fn review(&mut self, look: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.receiver.review(look)
    }

    fn restart(&mut self) -> Result<()> {
        self.receiver.restart()
    }

    fn append(&mut self, piece: &[u8]) -> Result<()> {
        self.receiver.append(piece)
    }

    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()> {
        let access = self.visitor.restricted(self.path, place.access);
        self.receiver.put(&Place { access, ..*place })
    }

    fn discard(self: Box<Self>) -> Result<()> {
        self.receiver.discard()
    }
}
