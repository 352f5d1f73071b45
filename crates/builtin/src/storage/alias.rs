//! Aliases of devices, such as `/dev/disk/by-id/x`: symbolic links of the device manager.

use std::path::{Component, Path, PathBuf};

use uphold_resource::{EntryKind, Reading, Result};

/// The maximum number of links to follow.
const MOST_LINKS: usize = 8;

/// The kernel's name of a device, after following its links. After too many links, the last one is returned.
pub(super) fn resolved(path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
    let mut name = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Some(EntryKind::Link(target)) = host.files().look(&name)?.map(|entry| entry.kind) else { break };
        name = plain(&name.parent().unwrap_or(Path::new("/")).join(target));
    }
    Ok(name)
}

/// Removes `..` textually: directories of devices are not links.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_parent_components() {
        let check = |path: &str, expected: &str| assert_eq!(plain(Path::new(path)), Path::new(expected));
        check("/dev/disk/by-id/../../sda1", "/dev/sda1");
        check("/dev/sda1", "/dev/sda1");
        check("/../x", "/x");
    }
}
