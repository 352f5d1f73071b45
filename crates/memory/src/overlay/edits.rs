//! Changing files in an overlay.

use std::ffi::OsString;
use std::path::Path;

use uphold_resource::{Access, Entry, FileEdits, Files, Gathered, NewFile, Receiver, Result, replaced};

use super::host::Overlay;
use crate::tree::{Change, Maker, Spot, Stop, Tree, unreachable_parent};

impl Overlay {
    /// Finds `path`, and lets `change` have it.
    fn edit(&self, path: &Path, change: impl FnOnce(&mut Change<'_>) -> Result<bool>) -> Result<()> {
        let maker = Maker { owner: self.process, now: self.base.clock.now() };
        let (mut tree, spot) = self.hold(|tree| tree.spot(path, self.process.uid))?;
        let spot = spot.map_err(|stop| unreachable_parent(path, &stop))?;
        change(&mut Change { tree: &mut tree, spot: &spot, path, maker }).map(drop)
    }

    /// What `tell` says about the place `path`, which is reached as for a change.
    fn reach<T>(&self, path: &Path, tell: impl Fn(&Tree, Spot) -> T) -> Result<T> {
        let reached = self.settle(|tree| tree.spot(path, self.process.uid).map(|spot| tell(tree, spot)))?;
        reached.map_err(|stop| unreachable_parent(path, &stop))
    }

    /// The names that the machine below has in the directory at `path`, if that is from there.
    fn hidden_names(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, spot: Spot| tree.get(spot.old?).directory().cloned();
        self.reach(path, directory)?.map_or(Ok(Vec::new()), |directory| self.names_below(&directory))
    }
}

impl FileEdits for Overlay {
    /// The check is not called: a command cannot look at a file that is not there.
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.edit(path, |change| change.write(file))
    }

    /// It is held in memory, as far as there is room: a plan keeps nothing.
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
        let inode = self.reach(target, |tree, spot| tree.linkable(spot.old, target))??;
        self.edit(path, |change| change.make_hard_link(inode, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        let (mut tree, found) = self.hold(|tree| tree.reach(path, self.process.uid))?;
        let found = found.map_err(|stop| unreachable_parent(path, &stop))?;
        let inode = found.ok_or_else(|| Stop::Missing.cannot("set the permissions of", path))?;
        if tree.entry(inode).kind != seen.kind {
            return Err(replaced(path));
        }
        tree.set_access(inode, access);
        Ok(())
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let source = self.reach(from, |tree, spot| tree.copyable(spot.old, from))??;
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
