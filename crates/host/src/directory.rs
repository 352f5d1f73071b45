//! Making directories.

use std::ffi::{OsStr, OsString};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, RawDir, RenameFlags, Uid};
use rustix::io::Errno;
use uphold_resource::{Access, Error, ErrorKind, Result, wrong_type};

use crate::calls;
use crate::root::Root;
use crate::spot::{Spot, words};
use crate::temporary;

/// What a directory is made with: nobody else can enter until it has its owner and mode.
pub(crate) const PRIVATE: u32 = 0o700;

/// How often another name is tried if a new directory is taken for left over before it is marked as in use.
const ATTEMPTS: usize = 8;

/// Makes the directory `path`.
///
/// # Guarantees
/// The name appears with its final owner and mode. Nothing that somebody puts in its place while it
/// is made is changed.
pub(crate) fn make(root: &Root, path: &Path, access: &Access) -> Result<()> {
    let spot = Spot::find(root, path)?;
    if spot.stat()?.is_some() {
        return Err(in_the_way(&spot));
    }
    let (name, made) = make_temporary(&spot)?;
    if let Err(error) = dress(&spot, &made, access).and_then(|()| put(&spot, &name)) {
        // What failed first is what the user has to know.
        let _ = calls::unlinkat(&spot.directory, &name, AtFlags::REMOVEDIR);
        return Err(error);
    }
    spot.sync()
}

/// Makes an empty private directory with a temporary name beside `spot`. It is marked as in use for as long as it is open.
pub(crate) fn make_temporary(spot: &Spot<'_>) -> Result<(OsString, OwnedFd)> {
    let fail = |errno| spot.error("make the directory", errno);
    for _ in 0..ATTEMPTS {
        let name = spot.unguessable();
        calls::mkdirat(&spot.directory, &name, Mode::from_raw_mode(PRIVATE)).map_err(fail)?;
        match open_made(spot, &name) {
            Ok(made) if temporary::mark(&made) && is_linked(&made) => return Ok((name, made)),
            // It was taken for left over.
            Ok(_) => {}
            Err(_) if is_gone(spot, &name) => {}
            Err(error) => {
                // What failed first is what the user has to know.
                let _ = calls::unlinkat(&spot.directory, &name, AtFlags::REMOVEDIR);
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

fn is_gone(spot: &Spot<'_>, name: &OsStr) -> bool {
    calls::statat(&spot.directory, name, AtFlags::SYMLINK_NOFOLLOW).is_err_and(|errno| errno == Errno::NOENT)
}

/// Opens what we made. In a directory of somebody else it could be anything by now; but a directory
/// of ours with nothing inside is as good as the one that we made.
fn open_made(spot: &Spot<'_>, name: &OsStr) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fail = |errno: Errno| match errno {
        Errno::NOTDIR | Errno::LOOP | Errno::NOENT => replaced(spot),
        errno => spot.error("make the directory", errno),
    };
    let made = calls::openat(&spot.directory, name, flags, Mode::empty()).map_err(fail)?;
    let ours = calls::fstat(&made).map_err(fail)?.st_uid == rustix::process::geteuid().as_raw();
    match ours && is_empty(&made).map_err(fail)? {
        true => Ok(made),
        false => Err(replaced(spot)),
    }
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

fn replaced(spot: &Spot<'_>) -> Error {
    let what = format!("{} was replaced by somebody while it was made", spot.path.display());
    Error::new(ErrorKind::UnsafeLink, what)
}

fn dress(spot: &Spot<'_>, made: &OwnedFd, access: &Access) -> Result<()> {
    let fail = |errno| spot.error("set the access of", errno);
    if access.uid.is_some() || access.gid.is_some() {
        calls::fchown(made, access.uid.map(Uid::from_raw), access.gid.map(Gid::from_raw)).map_err(fail)?;
    }
    calls::fchmod(made, Mode::from_raw_mode(access.mode.unwrap_or(PRIVATE))).map_err(fail)
}

/// Gives it its real name, unless that was taken meanwhile.
fn put(spot: &Spot<'_>, name: &OsStr) -> Result<()> {
    let directory = &spot.directory;
    match calls::renameat_with(directory, name, directory, spot.name, RenameFlags::NOREPLACE) {
        Err(Errno::EXIST) => return Err(in_the_way(spot)),
        // The file system cannot promise it; a directory that is not empty is never replaced.
        Err(Errno::INVAL | Errno::NOSYS) if spot.stat()?.is_some() => return Err(in_the_way(spot)),
        Err(Errno::INVAL | Errno::NOSYS) => calls::renameat(directory, name, directory, spot.name),
        other => other,
    }
    .map_err(|errno| spot.error("make the directory", errno))
}

fn in_the_way(spot: &Spot<'_>) -> Error {
    match spot.stat() {
        Ok(Some(stat)) if FileType::from_raw_mode(stat.st_mode) != FileType::Directory => {
            wrong_type(spot.path, words(&stat), "a directory")
        }
        _ => spot.error("make the directory", Errno::EXIST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_directory_we_made_is_not_taken() {
        let ground = tempfile::TempDir::new().unwrap();
        let top = ground.path().canonicalize().unwrap();
        let path = top.join("new");
        let root = Root::machine();
        let spot = Spot::find(&root, &path).unwrap();
        std::fs::create_dir_all(top.join("full/inside")).unwrap();
        std::fs::create_dir(top.join("empty")).unwrap();
        std::fs::write(top.join("file"), "").unwrap();
        std::os::unix::fs::symlink("empty", top.join("link")).unwrap();
        let open = |name: &str| open_made(&spot, OsStr::new(name)).map(drop).map_err(|error| error.kind());
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
    fn name_that_was_taken_meanwhile_stays() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().canonicalize().unwrap().join("new");
        let root = Root::machine();
        let spot = Spot::find(&root, &path).unwrap();
        std::fs::create_dir(path.with_file_name("made")).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert_eq!(put(&spot, OsStr::new("made")).unwrap_err().kind(), ErrorKind::Failed);
        std::fs::remove_dir(&path).unwrap();
        std::fs::write(&path, "kept").unwrap();
        assert_eq!(put(&spot, OsStr::new("made")).unwrap_err().kind(), ErrorKind::WrongType);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
    }
}
