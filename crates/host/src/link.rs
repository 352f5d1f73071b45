//! Symbolic and hard links, and removal of single entries.

use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Result, wrong_type};

use crate::calls;
use crate::dir_entry::{DirEntry, words};
use crate::root::Root;

/// Makes `path` a symbolic link to `target`. Replaces a file or link in one step.
pub(crate) fn make_symbolic(root: &Root, path: &Path, target: &Path) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    make(&entry, |name| calls::symlinkat(target, &entry.directory, name))
}

/// Makes `path` a hard link to `target`. Replaces a file or link in one step.
pub(crate) fn make_hard(root: &Root, path: &Path, target: &Path) -> Result<()> {
    let source = DirEntry::find(root, target)?;
    match source.stat()? {
        None => return Err(missing(target)),
        Some(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
            return Err(wrong_type(target, words(&stat), "a file"));
        }
        Some(_) => {}
    }
    let entry = DirEntry::find(root, path)?;
    let flags = AtFlags::empty();
    make(&entry, |name| calls::linkat(&source.directory, source.name, &entry.directory, name, flags))
}

/// Creates a link directly if the name is free, otherwise under a temporary name that is then renamed.
fn make(entry: &DirEntry<'_>, create: impl Fn(&OsStr) -> rustix::io::Result<()>) -> Result<()> {
    match create(entry.name) {
        Ok(()) => return entry.sync(),
        Err(Errno::EXIST) => replaceable(entry)?,
        Err(errno) => return Err(entry.error("make the link", errno)),
    }
    let temporary = entry.unguessable();
    create(&temporary).map_err(|errno| entry.error("make a temporary link beside", errno))?;
    let renamed = calls::renameat(&entry.directory, &temporary, &entry.directory, entry.name);
    // A rename between two hard links of one file does nothing, and a failed one leaves the temporary name.
    let _ = calls::unlinkat(&entry.directory, &temporary, AtFlags::empty());
    renamed.map_err(|errno| entry.error("put the link into place at", errno))?;
    entry.sync()
}

fn replaceable(entry: &DirEntry<'_>) -> Result<()> {
    match entry.stat()? {
        Some(stat) => match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile | FileType::Symlink => Ok(()),
            _ => Err(wrong_type(entry.path, words(&stat), "a file or a link")),
        },
        None => Ok(()),
    }
}

/// Removes the file, link, pipe or other entry at `path` that is not a directory.
pub(crate) fn remove_file(root: &Root, path: &Path) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    match calls::unlinkat(&entry.directory, entry.name, AtFlags::empty()) {
        Err(Errno::ISDIR) => Err(wrong_type(path, "a directory", "a file")),
        other => other.map_err(|errno| entry.error("remove", errno)),
    }
}

/// Removes the empty directory `path`.
pub(crate) fn remove_directory(root: &Root, path: &Path) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    match calls::unlinkat(&entry.directory, entry.name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTDIR) => {
            Err(wrong_type(path, entry.stat()?.as_ref().map_or("something else", words), "a directory"))
        }
        other => other.map_err(|errno| entry.error("remove the directory", errno)),
    }
}

fn missing(path: &Path) -> Error {
    Error::new(ErrorKind::Missing, format!("{} does not exist", path.display()))
}
