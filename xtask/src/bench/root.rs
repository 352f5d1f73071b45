//! The root that a configuration is applied to: a folder with one account.

use std::path::Path;

use super::configuration::OWNER;
use super::floor;
use crate::disk;
use crate::failure::{Failure, Result};

/// An empty root with one account: our user ID, under the name that the configuration uses.
pub(crate) fn fresh_root(root: &Path) -> Result {
    disk::remove_tree(root)?;
    let unknown =
        |error| Failure::new(format!("cannot determine the user and group of this process: {error}"));
    let (user, group) = floor::owner().map_err(unknown)?;
    disk::write(&root.join("etc/passwd"), &format!("{OWNER}:x:{user}:{group}::/:/bin/sh\n"))?;
    disk::write(&root.join("etc/group"), &format!("{OWNER}:x:{group}:\n"))?;
    disk::make_directory(&root.join("srv"))
}
