//! Reading files and accounts in memory.

use std::ffi::OsString;
use std::path::Path;

use uphold_resource::{Accounts, Entry, Files, Group, Result, User, wrong_type};

use super::MemoryHost;
use super::state::State;
use crate::tree::{Node, Stop, Trust, looping, unlistable, within};

impl Files for MemoryHost {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        let mut state = self.lock();
        state.note(path);
        match state.world.tree.find(path) {
            Ok(inode) => Ok(Some(state.world.tree.entry(inode))),
            Err(Stop::Missing | Stop::NotDirectory) => Ok(None),
            Err(_) => Err(looping("read the attributes of", path)),
        }
    }

    fn read_within(&self, path: &Path, _: u64, limit: u64) -> Result<Vec<u8>> {
        let mut state = self.lock();
        state.note(path);
        let node = state.open(path)?;
        let content = node.bytes().ok_or_else(|| wrong_type(path, node.words(), "a regular file"));
        within(path, content?, limit).map(<[u8]>::to_vec)
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        let mut state = self.lock();
        state.note(path);
        let tree = &state.world.tree;
        let inode = tree.find(path).map_err(|stop| unlistable(path, Some(&stop)))?;
        let directory = tree.get(inode).directory().ok_or_else(|| unlistable(path, None))?;
        Ok(directory.children().map(|(name, _)| name.clone()).collect())
    }
}

impl State {
    /// Records that `path` was read, unless a command did.
    fn note(&mut self, path: &Path) {
        if self.running.is_empty() {
            self.looked.insert(path.components().collect());
        }
    }

    /// The node at `path`, which must exist. A final link is not followed.
    fn open(&self, path: &Path) -> Result<&Node> {
        let is_private_group = |owner, gid| self.is_private_group(owner, gid);
        let trust = Trust::Reading { uid: self.uid, is_private_group: &is_private_group };
        let found = self.world.tree.find_trusting(path, trust).map_err(|stop| stop.cannot("read", path));
        found.map(|inode| self.world.tree.get(inode))
    }
}

impl Accounts for MemoryHost {
    fn user(&self, name: &str) -> Result<Option<User>> {
        Ok(self.lock().world.users.get(name).cloned())
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        Ok(self.lock().world.users.values().find(|user| user.uid == uid).cloned())
    }

    fn group(&self, name: &str) -> Result<Option<Group>> {
        Ok(self.lock().world.groups.get(name).cloned())
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        Ok(self.lock().world.groups.values().find(|group| group.gid == gid).cloned())
    }

    fn is_private_group(&self, owner: u32, gid: u32) -> Result<bool> {
        Ok(self.lock().is_private_group(owner, gid))
    }

    fn current_uid(&self) -> u32 {
        self.lock().uid
    }
}
