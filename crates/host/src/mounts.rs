//! Mount points.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use uphold_resource::{Error, Result};

/// The field of a line in `mountinfo` with the mount point.
const MOUNT_POINT: usize = 4;

/// Fails if `name` in `parent`, or anything inside, is a mount point. Costs one read, however large the tree is. Without
/// `/proc` nothing is known, and nothing is refused.
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

/// The mount point in a line of `mountinfo`.
pub(crate) fn mount_point(line: &[u8]) -> Option<PathBuf> {
    line.split(|byte| *byte == b' ').nth(MOUNT_POINT).map(|point| PathBuf::from(unescaped(point)))
}

/// A mounted file system.
pub(crate) struct Mounted {
    /// The mount point.
    pub(crate) point: PathBuf,
    /// The device, or another name that depends on the type.
    pub(crate) device: String,
    /// The type of the file system.
    pub(crate) kind: String,
    /// The options, separated by commas.
    pub(crate) options: String,
}

/// Parses a line of `mountinfo`. A dash separates the fields of the mount from those of the file system.
pub(crate) fn mounted(line: &[u8]) -> Option<Mounted> {
    let text = |field: &[u8]| unescaped(field).to_string_lossy().into_owned();
    let mut fields = line.split(|byte| *byte == b' ').skip(MOUNT_POINT);
    let point = PathBuf::from(unescaped(fields.next()?));
    let options = text(fields.next()?);
    let mut fields = fields.skip_while(|field| *field != b"-").skip(1);
    let (kind, device) = (text(fields.next()?), text(fields.next()?));
    Some(Mounted { point, device, kind, options })
}

/// Decodes a field, in which blanks and the like are written as a backslash and three octal digits.
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
    fn finds_mount_points_inside() {
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

    #[test]
    fn parses_lines() {
        let check = |line: &str, expected: Option<(&str, &str, &str, &str)>| {
            let found = mounted(line.as_bytes());
            let found = found
                .as_ref()
                .map(|found| (found.point.to_str().unwrap(), &*found.device, &*found.kind, &*found.options));
            assert_eq!(found, expected, "{line}");
        };
        check(
            "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
            Some(("/", "/dev/sda1", "ext4", "rw,relatime")),
        );
        check("22 1 0:9 / /a\\040b ro - tmpfs my\\040fs rw", Some(("/a b", "my fs", "tmpfs", "ro")));
        check("22 1 0:9 / /x ro shared:1", None);
        check("", None);
    }
}
