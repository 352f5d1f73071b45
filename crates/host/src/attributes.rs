//! Extended attributes.

use std::ffi::CStr;
use std::os::fd::AsFd;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

use crate::calls;

/// The access control list, which is an attribute, too.
const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// Signatures of the content, which would not match new content.
const SIGNATURES: [&CStr; 2] = [c"security.ima", c"security.evm"];

/// Privileges of a program beyond those of its user.
const CAPABILITIES: &CStr = c"security.capability";

/// The length of the header of an access control list: its version.
const LIST_HEAD: usize = 4;

/// The length of each entry: two bytes tag, two bytes permissions, four bytes id.
const LIST_ENTRY: usize = 8;

/// The attributes that a new file takes over from the one it replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inherited {
    /// All: both files have the same owner.
    All,
    /// Those that grant no access. Access that the previous owner granted is not the new owner's decision.
    Harmless,
}

impl Inherited {
    fn includes(self, name: &CStr) -> bool {
        let allows = name.to_bytes().starts_with(b"system.") || name == CAPABILITIES;
        !SIGNATURES.contains(&name) && (self == Self::All || !allows)
    }
}

/// Copies extended attributes from `from` to `to`. Leaves out those that may not be read or set, and those that the file
/// system does not support.
///
/// # Guarantees
/// `to` grants no access to other users until its mode is set: a copied access control list gets an empty mask.
///
/// # Assumptions
/// The content was written before: writing removes capabilities.
pub(crate) fn copy(from: impl AsFd, to: impl AsFd, inherited: Inherited) -> rustix::io::Result<()> {
    let (from, to) = (from.as_fd(), to.as_fd());
    let list = match whole(|buffer| rustix::fs::flistxattr(from, buffer)) {
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => return Ok(()),
        list => list?,
    };
    let names = || {
        let names = list.split_inclusive(|byte| *byte == 0);
        names.filter_map(|name| CStr::from_bytes_with_nul(name).ok()).filter(|name| inherited.includes(name))
    };
    if !names().any(|name| name == ACCESS_LIST) {
        // The new file may have inherited one from its directory.
        tolerate(calls::fremovexattr(to, ACCESS_LIST))?;
    }
    for name in names() {
        match whole(|buffer| rustix::fs::fgetxattr(from, name, buffer)) {
            Ok(mut value) => {
                if name == ACCESS_LIST {
                    close(&mut value);
                }
                tolerate(calls::fsetxattr(to, name, &value, XattrFlags::empty()))?;
            }
            Err(errno) => tolerate(Err(errno))?,
        }
    }
    Ok(())
}

/// Removes the access control list that a new file inherited from its directory.
pub(crate) fn remove_access_list(file: impl AsFd) -> rustix::io::Result<()> {
    tolerate(calls::fremovexattr(file, ACCESS_LIST))
}

/// Restricts an access control list to mode 0600, as far as it has a mask. The entries for users and groups stay; setting
/// the mode opens the mask again.
fn close(list: &mut [u8]) {
    const OWNER: u16 = 0x01;
    const MASK: u16 = 0x10;
    const OTHERS: u16 = 0x20;
    let entries = list.get_mut(LIST_HEAD..).unwrap_or_default().chunks_exact_mut(LIST_ENTRY);
    for entry in entries {
        let permissions: u16 = match u16::from_le_bytes([entry[0], entry[1]]) {
            OWNER => 0o6,
            MASK | OTHERS => 0,
            _ => continue,
        };
        entry[2..4].copy_from_slice(&permissions.to_le_bytes());
    }
}

/// Repeats a call with a larger buffer until the result fits.
fn whole(get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 1024];
    loop {
        match get(&mut buffer) {
            Err(Errno::INTR) => {}
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            Err(errno) => return Err(errno),
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
        }
    }
}

fn tolerate(result: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match result {
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NODATA) => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    /// `u::rw-,u:12345:rw-,g::r--,m::rw-,o::r--`: mode 0664.
    const LIST: [u8; 44] = [
        2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 0x39, 0x30, 0, 0, 4, 0, 4, 0, 255, 255, 255,
        255, 0x10, 0, 6, 0, 255, 255, 255, 255, 0x20, 0, 4, 0, 255, 255, 255, 255,
    ];

    fn listed(file: &std::fs::File) -> Option<Vec<u8>> {
        whole(|buffer| rustix::fs::fgetxattr(file, ACCESS_LIST, buffer)).ok()
    }

    /// A file with an access control list, and an empty private one; `None` if lists are not supported.
    fn files() -> Option<(std::fs::File, std::fs::File)> {
        let (from, to) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        to.set_permissions(std::fs::Permissions::from_mode(0o600)).unwrap();
        let set = calls::fsetxattr(&from, ACCESS_LIST, &LIST, XattrFlags::empty());
        set.is_ok().then_some((from, to))
    }

    #[test]
    fn a_copied_access_list_grants_nothing_until_the_mode_is_set() {
        let Some((from, to)) = files() else { return };
        let mode = |file: &std::fs::File| file.metadata().unwrap().mode() & 0o7777;
        assert_eq!(mode(&from), 0o664);
        copy(&from, &to, Inherited::All).unwrap();
        assert_eq!(mode(&to), 0o600);
        to.set_permissions(std::fs::Permissions::from_mode(0o664)).unwrap();
        assert_eq!(listed(&to).as_deref(), Some(&LIST[..]));
    }

    #[test]
    fn a_new_owner_inherits_only_harmless_attributes() {
        let Some((from, to)) = files() else { return };
        calls::fsetxattr(&to, ACCESS_LIST, &LIST, XattrFlags::empty()).unwrap();
        copy(&from, &to, Inherited::Harmless).unwrap();
        assert_eq!(listed(&to), None);
        let check = |name: &CStr, all: bool, harmless: bool| {
            let included = (Inherited::All.includes(name), Inherited::Harmless.includes(name));
            assert_eq!(included, (all, harmless), "{name:?}");
        };
        check(ACCESS_LIST, true, false);
        check(c"system.nfs4_acl", true, false);
        check(CAPABILITIES, true, false);
        check(c"user.note", true, true);
        check(c"security.selinux", true, true);
        check(c"security.ima", false, false);
    }

    #[test]
    fn malformed_lists_are_harmless() {
        for length in 0..LIST.len() {
            close(&mut LIST[..length].to_vec());
        }
    }
}
