//! What is mounted, as far as it is in the way.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use uphold_resource::{Error, Result};

/// The field of a line in `mountinfo` that says where something is mounted.
const MOUNT_POINT: usize = 4;

/// Fails if something is mounted on `name` in `parent`, or anywhere inside. Costs one read, however
/// large the tree is. Without `/proc` nothing is known, and nothing is refused.
pub(crate) fn refuse_inside(parent: &OwnedFd, name: &OsStr, path: &Path) -> Result<()> {
    let real = std::fs::read_link(format!("/proc/self/fd/{}", parent.as_raw_fd()));
    let (Ok(real), Ok(table)) = (real, std::fs::read("/proc/self/mountinfo")) else { return Ok(()) };
    match inside(&table, &real.join(name)) {
        Some(point) => {
            let what = format!("cannot replace {}: {} is a mount point", path.display(), point.display());
            Err(Error::failed(what).hint("unmount it first"))
        }
        None => Ok(()),
    }
}

/// The first mount point at or below `top`.
fn inside(table: &[u8], top: &Path) -> Option<PathBuf> {
    table.split(|byte| *byte == b'\n').filter_map(mount_point).find(|point| point.starts_with(top))
}

/// Where something is mounted, by a line of `mountinfo`.
pub(crate) fn mount_point(line: &[u8]) -> Option<PathBuf> {
    line.split(|byte| *byte == b' ').nth(MOUNT_POINT).map(|point| PathBuf::from(unescaped(point)))
}

/// Blanks and the like are written as a backslash and three octal digits.
fn unescaped(field: &[u8]) -> OsString {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).filter(|_| *first == b'\\').and_then(octal);
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    OsString::from_vec(bytes)
}

fn octal(digits: &[u8]) -> Option<u8> {
    let text = OsStr::from_bytes(digits).to_str()?;
    u8::from_str_radix(text, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_inside_are_found() {
        let table = b"21 1 0:20 / /proc rw - proc proc rw\n\
            22 1 0:21 / /srv/data rw shared:1 - tmpfs tmpfs rw\n\
            23 1 0:22 / /mnt/a\\040b\\134c rw - tmpfs tmpfs rw\n";
        let check = |top: &str, expected: Option<&str>| {
            assert_eq!(inside(table, Path::new(top)), expected.map(PathBuf::from), "{top}");
        };
        check("/srv", Some("/srv/data"));
        check("/srv/data", Some("/srv/data"));
        check("/srv/data/below", None);
        check("/srv/dat", None);
        check("/mnt/a b\\c", Some("/mnt/a b\\c"));
        check("/home", None);
        assert_eq!(inside(b"", Path::new("/")), None);
        assert_eq!(unescaped(b"\\04"), "\\04");
    }
}
