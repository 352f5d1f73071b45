//! Owners and permissions of what is there.

use std::path::Path;

use uphold_resource::{Access, Error, Result};

use super::host::MemoryHost;
use super::journal::{Edit, Was};
use super::node::{Body, Node};
use super::tree::ROOT;

/// The bits that lend the identity of owner and group.
const SET_USER_ID: u32 = 0o4000;
const SET_GROUP_ID: u32 = 0o2000;

/// Changes owner and permissions of what is at `path`; of a link, only the owner.
pub(crate) fn set_access(host: &MemoryHost, path: &Path, access: &Access) -> Result<()> {
    let mut state = host.lock();
    let inode = match path.file_name() {
        None => ROOT,
        Some(_) => {
            let spot = state.world.tree.spot(path, state.uid)?;
            let missing = || Error::io("set the access of", path, std::io::ErrorKind::NotFound.into());
            state.world.tree.child(spot.parent, &spot.name).ok_or_else(missing)?
        }
    };
    state.meet_fault(Edit::SetAccess, path)?;
    let node = state.world.tree.get_mut(inode);
    let was = node.access();
    let goal = settled(node, access);
    let needless = !changed(node, &goal);
    *node = node.clone().with(&goal);
    state.record(Edit::SetAccess, path, Was::Access(was), needless);
    Ok(())
}

/// Whether `access` asks for anything that `node` does not have.
pub(crate) fn changed(node: &Node, access: &Access) -> bool {
    access.mode.is_some_and(|mode| mode != node.mode)
        || access.uid.is_some_and(|uid| uid != node.uid)
        || access.gid.is_some_and(|gid| gid != node.gid)
}

/// A set-id bit that nobody asked for goes with the owner who vouched for it.
fn settled(node: &Node, access: &Access) -> Access {
    let lost_user = if access.uid.is_some_and(|uid| uid != node.uid) { SET_USER_ID } else { 0 };
    let lost_group = if access.gid.is_some_and(|gid| gid != node.gid) { SET_GROUP_ID } else { 0 };
    let mode = match &node.body {
        Body::Link(_) => None,
        Body::Directory(_) => access.mode,
        _ => Some(access.mode.unwrap_or(node.mode & !(lost_user | lost_group))),
    };
    Access { mode, ..*access }
}
