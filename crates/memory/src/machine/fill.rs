//! Writing into a file in place, as a shell and other careless programs do.

use std::io;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, Result, wrong_type};

use super::host::MemoryHost;
use super::journal::{Edit, Was};
use super::state::State;
use crate::tree::{Body, Content, Node, Owner, Stop, Trust};

/// What a shell gives a new file, with the usual mask.
const NEW_FILE: u32 = 0o644;

/// What to do with the content that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    Replace,
    Append,
}

impl MemoryHost {
    /// Writes into `path` in place, through links, and records it. A new file belongs to `owner`.
    pub(crate) fn fill(&self, path: &Path, content: &[u8], how: Fill, owner: Owner) -> Result<()> {
        let mut state = self.lock();
        let path = state.real(path);
        state.meet_fault(Edit::Write, &path)?;
        let was = match state.world.tree.find(&path) {
            Ok(inode) => Was::Present(state.world.tree.image(inode)),
            Err(_) => Was::Absent,
        };
        state.fill(&path, content, how, owner)?;
        state.record(Edit::Write, &path, was, false);
        Ok(())
    }
}

impl State {
    /// `path` without the links in it, as far as it exists.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let mut real: PathBuf = path.components().collect();
        // As many as Linux follows: a loop ends here and is an error later.
        for _ in 0..40 {
            match self.world.tree.find(&real).map(|inode| &self.world.tree.get(inode).body) {
                Ok(Body::Link(target)) => real = real.parent().unwrap_or(Path::new("/")).join(target),
                _ => break,
            }
        }
        real
    }

    /// Writes into `path` in place; the inode, the mode and the owner stay.
    pub(crate) fn fill(&mut self, path: &Path, content: &[u8], how: Fill, owner: Owner) -> Result<()> {
        let now = self.now;
        let inode = match self.world.tree.walk(path, Trust::Anybody) {
            Ok(inode) => inode,
            Err(Stop::Missing) => {
                let spot = self.spot(path)?;
                let owner = self.world.tree.inherit(spot.parent, owner);
                let node = Node::new(Body::File([].as_slice().into()), NEW_FILE, owner, now);
                self.world.tree.insert(spot.parent, &spot.name, node, now)
            }
            Err(_) => return Err(Error::io("write", path, io::ErrorKind::NotADirectory.into())),
        };
        let node = self.world.tree.get_mut(inode);
        let Body::File(Content::Held(old)) = &mut node.body else {
            return Err(wrong_type(path, node.words(), "a regular file"));
        };
        *old = match how {
            Fill::Replace => content.into(),
            Fill::Append => [old, content].concat().into(),
        };
        node.modified = now;
        Ok(())
    }
}
