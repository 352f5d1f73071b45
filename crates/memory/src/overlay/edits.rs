//! Changes of files in an overlay.

use std::ffi::OsString;
use std::path::Path;

use uphold_resource::{Access, Entry, FileEdits, Files, Gathered, NewFile, Receiver, Result, replaced};

use super::host::Overlay;
use crate::tree::{Change, Location, Maker, Stop, Tree, unreachable_parent};

impl Overlay {
    /// Finds `path`, and calls `change`.
    fn edit(&self, path: &Path, change: impl FnOnce(&mut Change<'_>) -> Result<bool>) -> Result<()> {
        let maker = Maker { owner: self.process, now: self.base.clock.now() };
        let (mut tree, location) = self.lock_resolved(|tree| tree.locate(path, self.process.uid))?;
        let location = location.map_err(|stop| unreachable_parent(path, &stop))?;
        change(&mut Change { tree: &mut tree, location: &location, path, maker }).map(drop)
    }

    /// Calls `read` with the location of `path`, which is resolved as for a change.
    fn reach<T>(&self, path: &Path, read: impl Fn(&Tree, Location) -> T) -> Result<T> {
        let reached =
            self.resolve(|tree| tree.locate(path, self.process.uid).map(|location| read(tree, location)))?;
        reached.map_err(|stop| unreachable_parent(path, &stop))
    }

    /// The names that the base machine has in the directory at `path`, if the directory comes from it.
    fn hidden_names(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, location: Location| tree.get(location.old?).directory().cloned();
        self.reach(path, directory)?.map_or(Ok(Vec::new()), |directory| self.names_below(&directory))
    }
}

impl FileEdits for Overlay {
    /// The file is not verified: a command cannot read a file that exists only here.
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.edit(path, |change| change.write(file))
    }

    /// It is stored in memory, within the limit, and not kept after the plan.
    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>> {
        Ok(Box::new(Gathered::new(self, path).within(&self.room)))
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        self.reach(path, |_, _| ())?;
        self.read_within(path, 0, limit)
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.edit(path, |change| change.make_directory(access))
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.edit(path, |change| change.make_link(target))
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        let inode = self.reach(target, |tree, location| tree.linkable(location.old, target))??;
        self.edit(path, |change| change.make_hard_link(inode, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        let (mut tree, found) = self.lock_resolved(|tree| tree.reach(path, self.process.uid))?;
        let found = found.map_err(|stop| unreachable_parent(path, &stop))?;
        let inode = found.ok_or_else(|| Stop::Missing.cannot("set the permissions of", path))?;
        if tree.entry(inode).kind != seen.kind {
            return Err(replaced(path));
        }
        tree.set_access(inode, access);
        Ok(())
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let source = self.reach(from, |tree, location| tree.copyable(location.old, from))??;
        self.edit(to, |change| change.copy(source))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.edit(path, |change| change.remove(true))
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        let below = self.hidden_names(path)?;
        self.edit(path, |change| change.remove_directory(&below))
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.edit(path, |change| change.remove(false))
    }
}
