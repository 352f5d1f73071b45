//! Changes of owner and permissions.

use uphold_resource::Access;

use super::node::{Body, Inode, Node};
use super::nodes::Tree;

/// The set-user-ID and set-group-ID bits.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

impl Tree {
    /// Changes owner and permissions of a node; of a link, only the owner. Returns the previous ones, and whether nothing changed.
    pub(crate) fn set_access(&mut self, inode: Inode, access: &Access) -> (Access, bool) {
        let node = self.get(inode);
        let goal = node.effective(access);
        let (was, needless) = (node.access(), !node.differs_from(&goal));
        if !needless {
            self.get_mut(inode).set(&goal);
        }
        (was, needless)
    }
}

impl Node {
    /// Whether `access` differs from that of the node.
    pub(crate) fn differs_from(&self, access: &Access) -> bool {
        access.mode.is_some_and(|mode| mode != self.mode)
            || access.uid.is_some_and(|uid| uid != self.uid)
            || access.gid.is_some_and(|gid| gid != self.gid)
    }

    /// The effective access: a link keeps its mode, and a set-ID bit that was not requested is lost with a change of the owner or
    /// group that it applies to.
    pub(crate) fn effective(&self, access: &Access) -> Access {
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
