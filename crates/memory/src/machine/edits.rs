//! Changing files in memory, with the contract of the real ones.

use std::path::Path;

use uphold_resource::{Access, Entry, FileEdits, Files, Gathered, NewFile, Receiver, Result, replaced};

use super::host::MemoryHost;
use super::journal::{Edit, Was};
use crate::tree::{Change, Stop, unreachable_parent};

impl MemoryHost {
    /// Finds `path`, lets `change` have it, and records what it did. `change` says whether it
    /// wrote only what was there already.
    fn edit(
        &self,
        what: Edit,
        path: &Path,
        change: impl FnOnce(&mut Change<'_>) -> Result<bool>,
    ) -> Result<()> {
        let mut state = self.lock();
        let spot = state.spot(path)?;
        state.meet_fault(what, path)?;
        let was = spot.old.map_or(Was::Absent, |inode| Was::Present(state.world.tree.image(inode)));
        let maker = state.maker();
        let needless = change(&mut Change { tree: &mut state.world.tree, spot: &spot, path, maker })?;
        state.record(what, path, was, needless);
        Ok(())
    }

    /// Shows the finished file to `verify` under a temporary name. The lock is free meanwhile, so
    /// that the check can use this machine.
    fn try_out(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        let Some(verify) = file.verify else { return Ok(()) };
        let (spot, name) = {
            let mut state = self.lock();
            let spot = state.spot(path)?;
            state.meet_fault(Edit::Write, path)?;
            let name = state.temporary(&spot.name);
            let maker = state.maker();
            let node = Change { tree: &mut state.world.tree, spot: &spot, path, maker }.new_file(file)?;
            state.world.tree.insert(spot.parent, &name, node, maker.now);
            state.report(&path.with_file_name(&name));
            (spot, name)
        };
        let verdict = verify(&path.with_file_name(&name));
        let mut state = self.lock();
        let now = state.now;
        state.world.tree.unlink(spot.parent, &name, now);
        state.report(&path.with_file_name(&name));
        verdict.map_err(|refusal| refusal.while_(format!("the check refused the new {}", path.display())))
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
        let reached = self.lock().spot(path).map(drop);
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
            state.world.tree.linkable(state.spot(target)?.old, target)?
        };
        self.edit(Edit::MakeHardLink, path, |change| change.make_hard_link(inode, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        let mut state = self.lock();
        let found =
            state.world.tree.reach(path, state.uid).map_err(|stop| unreachable_parent(path, &stop))?;
        let inode = found.ok_or_else(|| Stop::Missing.cannot("set the permissions of", path))?;
        let there = state.world.tree.entry(inode);
        if (there.identity, &there.kind) != (seen.identity, &seen.kind) {
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
            state.world.tree.copyable(state.spot(from)?.old, from)?
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
