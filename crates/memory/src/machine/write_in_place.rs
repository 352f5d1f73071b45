//! Writes of files in place, as shells and other simple programs do.

use std::io;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, Result, wrong_type};

use super::host::MemoryHost;
use super::journal::{Edit, Was};
use super::state::State;
use crate::tree::{Body, Content, Node, Owner, Stop, Trust};

/// The mode of a new file of a shell, with the usual umask.
const NEW_FILE: u32 = 0o644;

/// How the existing content is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InPlace {
    Replace,
    Append,
}

impl MemoryHost {
    /// Writes into `path` in place, through links, and records it. A new file belongs to `owner`.
    pub(crate) fn write_in_place(
        &self,
        path: &Path,
        content: &[u8],
        how: InPlace,
        owner: Owner,
    ) -> Result<()> {
        let mut state = self.lock();
        let path = state.real(path);
        state.meet_fault(Edit::Write, &path)?;
        let was = match state.world.tree.find(&path) {
            Ok(inode) => Was::Present(state.world.tree.image(inode)),
            Err(_) => Was::Absent,
        };
        state.write_in_place(&path, content, how, owner)?;
        state.record(Edit::Write, &path, was, false);
        Ok(())
    }
}

impl State {
    /// `path` without links, as far as it exists.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let mut real: PathBuf = path.components().collect();
        // As many links as Linux follows: a loop ends here, and is an error later.
        for _ in 0..40 {
            match self.world.tree.find(&real).map(|inode| &self.world.tree.get(inode).body) {
                Ok(Body::Link(target)) => real = real.parent().unwrap_or(Path::new("/")).join(target),
                _ => break,
            }
        }
        real
    }

    /// Writes into `path` in place; inode, mode and owner stay.
    pub(crate) fn write_in_place(
        &mut self,
        path: &Path,
        content: &[u8],
        how: InPlace,
        owner: Owner,
    ) -> Result<()> {
        let now = self.now;
        let inode = match self.world.tree.walk(path, Trust::Anyone) {
            Ok(inode) => inode,
            Err(Stop::Missing) => {
                let location = self.locate(path)?;
                let owner = self.world.tree.inherit(location.parent, owner);
                let node = Node::new(Body::File([].as_slice().into()), NEW_FILE, owner, now);
                self.world.tree.insert(location.parent, &location.name, node, now)
            }
            Err(_) => return Err(Error::io("write", path, io::ErrorKind::NotADirectory.into())),
        };
        let node = self.world.tree.get_mut(inode);
        let Body::File(Content::InMemory(old)) = &mut node.body else {
            return Err(wrong_type(path, node.words(), "a regular file"));
        };
        *old = match how {
            InPlace::Replace => content.into(),
            InPlace::Append => [old, content].concat().into(),
        };
        node.modified = now;
        Ok(())
    }
}
