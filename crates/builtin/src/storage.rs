//! The kinds `filesystem`, `mount` and `swap`.

mod filesystem;
mod fstab;
mod mount;
mod signature;
mod swap;

use std::path::{Component, Path, PathBuf};

use uphold_resource::{
    EntryKind, Error, ErrorKind, Reading, Result, UNSAFE_LINK_HINT, Writers, trusted_path, untrusted_words,
};

pub use filesystem::{Filesystem, FilesystemChange, FilesystemGoal, FilesystemState, FilesystemWishes};
pub use mount::{Mount, MountChange, MountGoal, MountOptions, MountState, MountWishes};
pub use swap::{Swap, SwapChange, SwapGoal, SwapState, SwapWishes};

// Aliases of devices, such as `/dev/disk/by-id/x`: symbolic links of the device manager.

/// The maximum number of links to follow.
const MOST_LINKS: usize = 8;

/// The kernel's name of a device, after following its links. After too many links, the last one is returned.
fn resolved(path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
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

// Escapes in tables such as fstab: a backslash and three octal digits.

/// Decodes a field.
fn unescaped(field: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).filter(|_| *first == b'\\').and_then(octal);
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn octal(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

/// Encodes a field.
fn escaped(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' => field.push_str("\\040"),
            '\t' => field.push_str("\\011"),
            '\n' => field.push_str("\\012"),
            '#' => field.push_str("\\043"),
            '\\' => field.push_str("\\134"),
            other => field.push(other),
        }
    }
    field
}

// Paths that other users cannot redirect.

/// Fails if another user could replace the file at `path` or one of its parent directories, or create it.
///
/// Programs that write to a device or a whole file take a path. If other users could plant a link, they would
/// choose what is overwritten. Otherwise the path refers to the same file until the program has ended.
///
/// # Errors
/// [`ErrorKind::UnsafeLink`].
fn check(path: &Path, host: &Reading<'_>) -> Result<()> {
    let writers = Writers::root_and(host.accounts().current_uid());
    let place = match trusted_path(path, &writers, host)? {
        Ok(place) => place,
        Err(why) => return Err(refusal(path, &why)),
    };
    // In a sticky directory, other users can create a missing name.
    for directory in place.ancestors().skip(1) {
        let Some(found) = host.files().look(directory)? else { continue };
        return match writers.untrusted_reason(&found, host) {
            Some(doubt) => Err(refusal(path, &untrusted_words(doubt, directory, host)?)),
            None => Ok(()),
        };
    }
    Ok(())
}

fn refusal(path: &Path, why: &str) -> Error {
    let what = format!("{} is not safe to overwrite: {why}", path.display());
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}

#[cfg(test)]
mod alias_tests {
    use super::*;

    #[test]
    fn removes_parent_components() {
        let check = |path: &str, expected: &str| assert_eq!(plain(Path::new(path)), Path::new(expected));
        check("/dev/disk/by-id/../../sda1", "/dev/sda1");
        check("/dev/sda1", "/dev/sda1");
        check("/../x", "/x");
    }
}

#[cfg(test)]
mod escape_tests {
    use super::*;

    #[test]
    fn escapes_round_trip() {
        let check = |text: &str, field: &str| {
            assert_eq!(escaped(text), field);
            assert_eq!(unescaped(field.as_bytes()), text);
        };
        check("/srv", "/srv");
        check("/a b\tc\nd\\e#f", "/a\\040b\\011c\\012d\\134e\\043f");
        check("/ä", "/ä");
        assert_eq!(unescaped(b"\\04"), "\\04");
        assert_eq!(unescaped(b"\\089x"), "\\089x");
    }
}
