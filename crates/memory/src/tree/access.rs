//! Owners and permissions of what is there.

use uphold_resource::Access;

use super::node::{Body, Inode, Node};
use super::nodes::Tree;

/// The bits that lend the identity of owner and group.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

impl Tree {
    /// Changes owner and permissions of a node; of a link, only the owner. Says what it had before, and
    /// whether it had all that already.
    pub(crate) fn set_access(&mut self, inode: Inode, access: &Access) -> (Access, bool) {
        let node = self.get(inode);
        let goal = node.settled(access);
        let (was, needless) = (node.access(), !node.lacks(&goal));
        if !needless {
            self.get_mut(inode).set(&goal);
        }
        (was, needless)
    }
}

impl Node {
    /// Whether `access` asks for anything that it does not have.
    pub(crate) fn lacks(&self, access: &Access) -> bool {
        access.mode.is_some_and(|mode| mode != self.mode)
            || access.uid.is_some_and(|uid| uid != self.uid)
            || access.gid.is_some_and(|gid| gid != self.gid)
    }

    /// What comes of `access`: a link keeps its mode, and a set-id bit that nobody asked for goes with
    /// the owner who vouched for it.
    pub(crate) fn settled(&self, access: &Access) -> Access {
        let lost_user = if access.uid.is_some_and(|uid| uid != self.uid) { SET_USER_ID } else { 0 };
        let lost_group = if access.gid.is_some_and(|gid| gid != self.gid) { SET_GROUP_ID } else { 0 };
        let mode = match &self.body {
            Body::Link(_) => None,
            Body::Directory(_) => access.mode,
            _ => Some(access.mode.unwrap_or(self.mode & !(lost_user | lost_group))),
        };
        Access { mode, ..*access }
    }
}
