//! Changing files in memory, with the contract of the real ones.

use std::io;
use std::path::Path;

use uphold_resource::{Access, Error, ErrorKind, FileEdits, Files, NewFile, Result, wrong_type};

use super::access::{changed, set_access};
use super::host::MemoryHost;
use super::journal::{Edit, Was};
use super::node::{Body, Inode, Node, Owner};
use super::state::State;
use super::walk::Spot;

/// What a new file and a new directory may be used for, unless it is said.
const NEW_FILE: u32 = 0o600;
const NEW_DIRECTORY: u32 = 0o700;

/// A name that is about to change.
pub(crate) struct Change<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) spot: &'a Spot,
    /// What is there.
    pub(crate) old: Option<Inode>,
    pub(crate) path: &'a Path,
}

impl Change<'_> {
    fn old(&self) -> Option<&Node> {
        self.old.map(|inode| self.state.world.tree.get(inode))
    }

    /// What is there, which has to be.
    fn present(&self, what: &str) -> Result<&Node> {
        self.old().ok_or_else(|| Error::io(what, self.path, io::ErrorKind::NotFound.into()))
    }

    /// Who owns what is made here.
    fn owner(&self) -> Owner {
        self.state.inherit(self.spot.parent, self.state.process())
    }

    /// Puts `node` at the name.
    pub(crate) fn put(&mut self, node: Node) {
        let now = self.state.now;
        self.state.world.tree.insert(self.spot.parent, &self.spot.name, node, now);
    }

    fn take(&mut self) {
        self.state.world.tree.unlink(self.spot.parent, &self.spot.name, self.state.now);
    }
}

impl MemoryHost {
    /// Finds `path`, lets `change` have it, and records what it did. `change` says whether it
    /// wrote only what was there already.
    pub(crate) fn edit(
        &self,
        what: Edit,
        path: &Path,
        change: impl FnOnce(&mut Change<'_>) -> Result<bool>,
    ) -> Result<()> {
        let mut state = self.lock();
        let spot = state.world.tree.spot(path, state.uid)?;
        state.meet_fault(what, path)?;
        let old = state.world.tree.child(spot.parent, &spot.name);
        let was = old.map_or(Was::Absent, |inode| Was::Present(state.world.tree.image(inode)));
        let needless = change(&mut Change { state: &mut state, spot: &spot, old, path })?;
        state.record(what, path, was, needless);
        Ok(())
    }

    /// What is at `path`, to be put elsewhere, as it is now.
    fn source(&self, path: &Path) -> Result<io::Result<(Inode, Node)>> {
        let state = self.lock();
        let spot = state.world.tree.spot(path, state.uid)?;
        let inode = state.world.tree.child(spot.parent, &spot.name);
        let found = inode.map(|inode| (inode, state.world.tree.get(inode).clone()));
        Ok(found.ok_or_else(|| io::ErrorKind::NotFound.into()))
    }

    /// Shows the finished file to `verify` under a temporary name. The lock is free meanwhile, so
    /// that the check can use this machine.
    fn try_out(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        let Some(verify) = file.verify else { return Ok(()) };
        let (spot, name) = {
            let mut state = self.lock();
            let spot = state.world.tree.spot(path, state.uid)?;
            state.meet_fault(Edit::Write, path)?;
            let old = state.world.tree.child(spot.parent, &spot.name);
            let name = state.temporary(&spot.name);
            let node = new_file(&Change { state: &mut state, spot: &spot, old, path }, file)?;
            let now = state.now;
            state.world.tree.insert(spot.parent, &name, node, now);
            (spot, name)
        };
        let verdict = verify(&path.with_file_name(&name));
        let mut state = self.lock();
        let now = state.now;
        state.world.tree.unlink(spot.parent, &name, now);
        verdict.map_err(|refusal| refusal.while_(format!("the check refused the new {}", path.display())))
    }
}

/// The node of a new file: what was not asked for is taken from the file that it replaces.
fn new_file(change: &Change<'_>, file: &NewFile<'_>) -> Result<Node> {
    let old = match change.old() {
        Some(old) if !old.is_file() && !file.replace_other => {
            return Err(wrong_type(change.path, old.words(), "a regular file"));
        }
        old => old.filter(|old| old.is_file()),
    };
    let (mode, owner) = old.map_or((NEW_FILE, change.owner()), |old| (old.mode, old.owner()));
    let mut node = Node::new(Body::File(file.content.into()), mode, owner, change.state.now);
    node.attributes = old.map(|old| old.attributes.clone()).unwrap_or_default();
    Ok(node.with(&file.access))
}

/// Only a file or a link gives way to a link.
fn replaceable(old: Option<&Node>, path: &Path) -> Result<()> {
    match old.map(|old| &old.body) {
        None | Some(Body::File(_) | Body::Link(_)) => Ok(()),
        Some(_) => Err(wrong_type(path, old.map_or("", Node::words), "a file or a link")),
    }
}

impl FileEdits for MemoryHost {
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.try_out(path, file)?;
        self.edit(Edit::Write, path, |change| {
            let node = new_file(change, file)?;
            let needless = change.old().is_some_and(|old| old.body == node.body);
            change.put(node);
            Ok(needless)
        })
    }

    fn content(&self, path: &Path) -> Result<Vec<u8>> {
        let state = self.lock();
        let safe = state.world.tree.spot(path, state.uid).map(drop);
        drop(state);
        safe.and_then(|()| self.read(path, 0))
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.edit(Edit::MakeDirectory, path, |change| {
            match change.old() {
                Some(old) if old.children().is_none() => {
                    return Err(wrong_type(path, old.words(), "a directory"));
                }
                Some(_) => {
                    return Err(Error::io("make the directory", path, io::ErrorKind::AlreadyExists.into()));
                }
                None => {}
            }
            let (owner, now) = (change.owner(), change.state.now);
            let body = Body::Directory(std::collections::BTreeMap::new());
            change.put(Node::new(body, NEW_DIRECTORY, owner, now).with(access));
            Ok(false)
        })
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.edit(Edit::MakeLink, path, |change| {
            replaceable(change.old(), path)?;
            let node = Node::new(Body::Link(target.to_owned()), 0o777, change.owner(), change.state.now);
            let needless = change.old().is_some_and(|old| old.body == node.body);
            change.put(node);
            Ok(needless)
        })
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        let missing = |_| Error::new(ErrorKind::Missing, format!("{} does not exist", target.display()));
        let (inode, source) = self.source(target)?.map_err(missing)?;
        if source.children().is_some() {
            return Err(wrong_type(target, "a directory", "a file"));
        }
        self.edit(Edit::MakeHardLink, path, |change| {
            replaceable(change.old(), path)?;
            let (tree, now) = (&mut change.state.world.tree, change.state.now);
            tree.link(change.spot.parent, &change.spot.name, inode, now);
            Ok(change.old == Some(inode))
        })
    }

    fn set_access(&self, path: &Path, access: &Access) -> Result<()> {
        set_access(self, path, access)
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let (_, source) = self.source(from)?.map_err(|gone| Error::io("read", from, gone))?;
        if !source.is_file() {
            return Err(wrong_type(from, source.words(), "a regular file"));
        }
        self.edit(Edit::Copy, to, |change| {
            let old = change.old();
            if let Some(other) = old.filter(|old| !old.is_file()) {
                return Err(wrong_type(to, other.words(), "a regular file"));
            }
            let needless = old.is_some_and(|old| old.body == source.body && !changed(old, &source.access()));
            change.put(Node { modified: change.state.now, links: 0, ..source });
            Ok(needless)
        })
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveFile, path, |change| {
            if change.present("remove")?.children().is_some() {
                return Err(wrong_type(path, "a directory", "a file"));
            }
            change.take();
            Ok(false)
        })
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveDirectory, path, |change| {
            let old = change.present("remove the directory")?;
            match old.children() {
                None => return Err(wrong_type(path, old.words(), "a directory")),
                Some(children) if !children.is_empty() => {
                    let source = io::ErrorKind::DirectoryNotEmpty.into();
                    return Err(Error::io("remove the directory", path, source));
                }
                Some(_) => change.take(),
            }
            Ok(false)
        })
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.edit(Edit::RemoveTree, path, |change| {
            change.present("remove")?;
            change.take();
            Ok(false)
        })
    }
}
