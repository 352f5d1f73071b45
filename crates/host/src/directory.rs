//! Creation of directories.

use std::ffi::{OsStr, OsString};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, RawDir, RenameFlags, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Error, ErrorKind, Result, wrong_type};

use crate::calls;
use crate::dir_entry::{DirEntry, words};
use crate::root::Root;
use crate::temporary;

/// The mode of a new directory: no other user can enter it before it has its owner and mode.
pub(crate) const PRIVATE: u32 = 0o700;

/// How many names are tried if a new directory is removed as a leftover before it is marked as in use.
const ATTEMPTS: usize = 8;

/// Creates the directory `path`.
///
/// # Guarantees
/// It appears with its final owner and mode. If another process puts something else in its place meanwhile, that is not
/// changed.
pub(crate) fn make(root: &Root, path: &Path, access: &Access) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    if entry.stat()?.is_some() {
        return Err(in_the_way(&entry));
    }
    let (name, made) = make_temporary(&entry)?;
    if let Err(error) = set_access(&entry, &made, access).and_then(|()| put(&entry, &name)) {
        // The first failure is the one to report.
        let _ = calls::unlinkat(&entry.directory, &name, AtFlags::REMOVEDIR);
        return Err(error);
    }
    entry.sync()
}

/// Creates an empty private directory with a temporary name beside `entry`. It is marked as in use while it is open.
pub(crate) fn make_temporary(entry: &DirEntry<'_>) -> Result<(OsString, OwnedFd)> {
    let fail = |errno| entry.error("make the directory", errno);
    for _ in 0..ATTEMPTS {
        let name = entry.unguessable();
        calls::mkdirat(&entry.directory, &name, Mode::from_raw_mode(PRIVATE)).map_err(fail)?;
        match open_made(entry, &name) {
            Ok(made) if temporary::mark(&made) && is_linked(&made) => return Ok((name, made)),
            // It was removed as a leftover.
            Ok(_) => {}
            Err(_) if is_gone(entry, &name) => {}
            Err(error) => {
                // The first failure is the one to report.
                let _ = calls::unlinkat(&entry.directory, &name, AtFlags::REMOVEDIR);
                return Err(error);
            }
        }
    }
    Err(fail(Errno::BUSY))
}

/// Whether a directory still has a name.
fn is_linked(made: &OwnedFd) -> bool {
    calls::fstat(made).is_ok_and(|stat| stat.st_nlink > 0)
}

fn is_gone(entry: &DirEntry<'_>, name: &OsStr) -> bool {
    calls::statat(&entry.directory, name, AtFlags::SYMLINK_NOFOLLOW).is_err_and(|errno| errno == Errno::NOENT)
}

/// Opens the directory that we made. In a directory of another user it may have been replaced, but an empty directory of
/// ours is as good as the one that we made.
fn open_made(entry: &DirEntry<'_>, name: &OsStr) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fail = |errno: Errno| match errno {
        Errno::NOTDIR | Errno::LOOP | Errno::NOENT => replaced(entry),
        errno => entry.error("make the directory", errno),
    };
    let made = calls::openat(&entry.directory, name, flags, Mode::empty()).map_err(fail)?;
    let ours = calls::fstat(&made).map_err(fail)?.st_uid == rustix::process::geteuid().as_raw();
    if ours && is_empty(&made).map_err(fail)? { Ok(made) } else { Err(replaced(entry)) }
}

fn is_empty(directory: &OwnedFd) -> rustix::io::Result<bool> {
    // Enough for `.` and `..`, and one more name of any length.
    let mut buffer = [MaybeUninit::uninit(); 512];
    let mut entries = RawDir::new(directory, &mut buffer);
    while let Some(entry) = entries.next() {
        if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
            return Ok(false);
        }
    }
    Ok(true)
}

fn replaced(entry: &DirEntry<'_>) -> Error {
    let what = format!("{} was replaced by another process while it was created", entry.path.display());
    Error::new(ErrorKind::UnsafeLink, what)
}

fn set_access(entry: &DirEntry<'_>, made: &OwnedFd, access: &Access) -> Result<()> {
    let fail = |errno| entry.error("set the permissions of", errno);
    if access.uid.is_some() || access.gid.is_some() {
        calls::fchown(made, access.uid.map(Uid::from_raw), access.gid.map(Gid::from_raw)).map_err(fail)?;
    }
    calls::fchmod(made, Mode::from_raw_mode(access.mode.unwrap_or(PRIVATE))).map_err(fail)
}

/// Renames it to its real name, unless that exists meanwhile.
fn put(entry: &DirEntry<'_>, name: &OsStr) -> Result<()> {
    let directory = &entry.directory;
    match calls::renameat_with(directory, name, directory, entry.name, RenameFlags::NOREPLACE) {
        Err(Errno::EXIST) => return Err(in_the_way(entry)),
        // The file system does not support the flag; but rename(2) never replaces a directory that is not empty.
        Err(Errno::INVAL | Errno::NOSYS) if entry.stat()?.is_some() => return Err(in_the_way(entry)),
        Err(Errno::INVAL | Errno::NOSYS) => calls::renameat(directory, name, directory, entry.name),
        other => other,
    }
    .map_err(|errno| entry.error("make the directory", errno))
}

fn in_the_way(entry: &DirEntry<'_>) -> Error {
    match entry.stat() {
        Ok(Some(stat)) if FileType::from_raw_mode(stat.st_mode) != FileType::Directory => {
            wrong_type(entry.path, words(&stat), "a directory")
        }
        _ => entry.error("make the directory", Errno::EXIST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_directory_that_it_did_not_make() {
        let ground = tempfile::TempDir::new().unwrap();
        let top = ground.path().canonicalize().unwrap();
        let path = top.join("new");
        let root = Root::machine();
        let entry = DirEntry::find(&root, &path).unwrap();
        std::fs::create_dir_all(top.join("full/inside")).unwrap();
        std::fs::create_dir(top.join("empty")).unwrap();
        std::fs::write(top.join("file"), "").unwrap();
        std::os::unix::fs::symlink("empty", top.join("link")).unwrap();
        let open = |name: &str| open_made(&entry, OsStr::new(name)).map(drop).map_err(|error| error.kind());
        for name in ["full", "file", "link", "none"] {
            assert_eq!(open(name), Err(ErrorKind::UnsafeLink), "{name}");
        }
        assert_eq!(open("empty"), Ok(()));
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(top.join("empty"), Some(12_345), None).unwrap();
            assert_eq!(open("empty"), Err(ErrorKind::UnsafeLink));
        }
    }

    #[test]
    fn keeps_a_name_that_appeared_meanwhile() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("new");
        let root = Root::machine();
        let entry = DirEntry::find(&root, &path).unwrap();
        std::fs::create_dir(path.with_file_name("made")).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert_eq!(put(&entry, OsStr::new("made")).unwrap_err().kind(), ErrorKind::Failed);
        std::fs::remove_dir(&path).unwrap();
        std::fs::write(&path, "kept").unwrap();
        assert_eq!(put(&entry, OsStr::new("made")).unwrap_err().kind(), ErrorKind::WrongType);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
    }
}
