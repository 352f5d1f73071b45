//! Changes of files in memory, with the guarantees of the real ones.

use std::path::Path;

use uphold_resource::{Access, Entry, FileEdits, Files, Gathered, NewFile, Receiver, Result, replaced};

use super::MemoryHost;
use super::journal::{Edit, Was};
use crate::tree::{Change, Stop, unreachable_parent};

impl MemoryHost {
    /// Finds `path`, calls `change`, and records the write. `change` returns whether it wrote only what existed already.
    fn edit(
        &self,
        what: Edit,
        path: &Path,
        change: impl FnOnce(&mut Change<'_>) -> Result<bool>,
    ) -> Result<()> {
        let mut state = self.lock();
        let location = state.locate(path)?;
        state.meet_fault(what, path)?;
        let was = location.old.map_or(Was::Absent, |inode| Was::Present(state.world.tree.image(inode)));
        let maker = state.maker();
        let needless = change(&mut Change { tree: &mut state.world.tree, location: &location, path, maker })?;
        state.record(what, path, was, needless);
        Ok(())
    }

    /// Passes the finished file to `verify` under a temporary name. The lock is released meanwhile, so that the verification can
    /// use this machine.
    fn try_out(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        let Some(verify) = file.verify else { return Ok(()) };
        let (location, name) = {
            let mut state = self.lock();
            let location = state.locate(path)?;
            state.meet_fault(Edit::Write, path)?;
            let name = state.temporary(&location.name);
            let maker = state.maker();
            let node =
                Change { tree: &mut state.world.tree, location: &location, path, maker }.new_file(file)?;
            state.world.tree.insert(location.parent, &name, node, maker.now);
            state.report(&path.with_file_name(&name));
            (location, name)
        };
        let verdict = verify(&path.with_file_name(&name));
        let mut state = self.lock();
        let now = state.now;
        state.world.tree.unlink(location.parent, &name, now);
        state.report(&path.with_file_name(&name));
        verdict.map_err(|error| error.while_(format!("verification of the new {} failed", path.display())))
    }
}

impl FileEdits for MemoryHost {
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.try_out(path, file)?;
        self.edit(Edit::Write, path, |change| change.write(file))
    }

    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>> {
        Ok(Box::new(Gathered::new(self, path)))
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        let reached = self.lock().locate(path).map(drop);
        reached.and_then(|()| self.read_within(path, 0, limit))
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.edit(Edit::MakeDirectory, path, |change| change.make_directory(access))
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.edit(Edit::MakeLink, path, |change| change.make_link(target))
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        let inode = {
            let state = self.lock();
            state.world.tree.linkable(state.locate(target)?.old, target)?
        };
        self.edit(Edit::MakeHardLink, path, |change| change.make_hard_link(inode, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        let mut state = self.lock();
        let found =
            state.world.tree.reach(path, state.uid).map_err(|stop| unreachable_parent(path, &stop))?;
        let inode = found.ok_or_else(|| Stop::Missing.cannot("set the permissions of", path))?;
        let existing = state.world.tree.entry(inode);
        if (existing.identity, &existing.kind) != (seen.identity, &seen.kind) {
            return Err(replaced(path));
        }
        state.meet_fault(Edit::SetAccess, path)?;
        let (was, needless) = state.world.tree.set_access(inode, access);
        state.record(Edit::SetAccess, path, Was::Access(was), needless);
        Ok(())
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let source = {
            let state = self.lock();
            state.world.tree.copyable(state.locate(from)?.old, from)?
        };
        self.edit(Edit::Copy, to, |change| change.copy(source))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveFile, path, |change| change.remove(true))
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveDirectory, path, |change| change.remove_directory(&[]))
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveTree, path, |change| change.remove(false))
    }
}
