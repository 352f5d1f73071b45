//! Symbolic and hard links, and removing single names.

use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Result, wrong_type};

use crate::calls;
use crate::root::Root;
use crate::spot::{Spot, words};

/// Makes `path` a symbolic link to `target`, replacing a file or link all at once.
pub(crate) fn make_symbolic(root: &Root, path: &Path, target: &Path) -> Result<()> {
    let spot = Spot::find(root, path)?;
    make(&spot, |name| calls::symlinkat(target, &spot.directory, name))
}

/// Makes `path` another name of `target`, replacing a file or link all at once.
pub(crate) fn make_hard(root: &Root, path: &Path, target: &Path) -> Result<()> {
    let source = Spot::find(root, target)?;
    match source.stat()? {
        None => return Err(missing(target)),
        Some(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
            return Err(wrong_type(target, words(&stat), "a file"));
        }
        Some(_) => {}
    }
    let spot = Spot::find(root, path)?;
    let flags = AtFlags::empty();
    make(&spot, |name| calls::linkat(&source.directory, source.name, &spot.directory, name, flags))
}

/// Makes a name at once if it is free, else under a temporary name that then takes its place.
fn make(spot: &Spot<'_>, create: impl Fn(&OsStr) -> rustix::io::Result<()>) -> Result<()> {
    match create(spot.name) {
        Ok(()) => return spot.sync(),
        Err(Errno::EXIST) => replaceable(spot)?,
        Err(errno) => return Err(spot.error("make the link", errno)),
    }
    let temporary = spot.unguessable();
    create(&temporary).map_err(|errno| spot.error("make a temporary link beside", errno))?;
    let renamed = calls::renameat(&spot.directory, &temporary, &spot.directory, spot.name);
    // A rename between two names of one file does nothing; and a failed one leaves it there.
    let _ = calls::unlinkat(&spot.directory, &temporary, AtFlags::empty());
    renamed.map_err(|errno| spot.error("put the link into place at", errno))?;
    spot.sync()
}

fn replaceable(spot: &Spot<'_>) -> Result<()> {
    match spot.stat()? {
        Some(stat) => match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile | FileType::Symlink => Ok(()),
            _ => Err(wrong_type(spot.path, words(&stat), "a file or a link")),
        },
        None => Ok(()),
    }
}

/// Removes the file, link, pipe or the like at `path`.
pub(crate) fn remove_file(root: &Root, path: &Path) -> Result<()> {
    let spot = Spot::find(root, path)?;
    match calls::unlinkat(&spot.directory, spot.name, AtFlags::empty()) {
        Err(Errno::ISDIR) => Err(wrong_type(path, "a directory", "a file")),
        other => other.map_err(|errno| spot.error("remove", errno)),
    }
}

/// Removes the empty directory `path`.
pub(crate) fn remove_directory(root: &Root, path: &Path) -> Result<()> {
    let spot = Spot::find(root, path)?;
    match calls::unlinkat(&spot.directory, spot.name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTDIR) => {
            Err(wrong_type(path, spot.stat()?.as_ref().map_or("something else", words), "a directory"))
        }
        other => other.map_err(|errno| spot.error("remove the directory", errno)),
    }
}

fn missing(path: &Path) -> Error {
    Error::new(ErrorKind::Missing, format!("{} does not exist", path.display()))
}
