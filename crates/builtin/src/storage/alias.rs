//! Other names of devices, such as `/dev/disk/by-id/x`: links that the device manager makes.

use std::path::{Component, Path, PathBuf};

use uphold_resource::{EntryKind, Reading, Result};

/// More links than any device manager makes, one after the other.
const MOST_LINKS: usize = 8;

/// The name that the kernel knows a device by: where its links lead. Of more links than are sane the last
/// one is the name.
pub(super) fn resolved(path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
    let mut name = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Some(EntryKind::Link(target)) = host.files().look(&name)?.map(|entry| entry.kind) else { break };
        name = plain(&name.parent().unwrap_or(Path::new("/")).join(target));
    }
    Ok(name)
}

/// Without `..`: directories of devices are no links.
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
    fn a_path_is_made_plain() {
        let check = |path: &str, expected: &str| assert_eq!(plain(Path::new(path)), Path::new(expected));
        check("/dev/disk/by-id/../../sda1", "/dev/sda1");
        check("/dev/sda1", "/dev/sda1");
        check("/../x", "/x");
    }
}
