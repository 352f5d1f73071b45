//! Replacement of a directory by a file.
//!
//! The new file is put in a private directory of ours, and exchanged with the old directory. From that moment the old tree is
//! in the private directory, which marks it as a leftover to remove: no other user can have put it there.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{Dir, RenameFlags, Stat};
use rustix::io::Errno;
use uphold_resource::Result;

use super::file::Temporary;
use crate::calls;
use crate::dir_entry::DirEntry;
use crate::directory;
use crate::tree;

/// The only name in the private directory.
const INSIDE: &str = "uphold-replaced";

/// A private directory of ours with a temporary name. Dropped, it is removed with its content.
struct PrivateDirectory<'a> {
    entry: &'a DirEntry<'a>,
    name: OsString,
    directory: OwnedFd,
}

/// Puts a file in place of a directory, which is removed with its content.
///
/// # Errors
/// If the file cannot be put there, in which case the old directory is unchanged. If it is in place, and the old directory
/// cannot be removed; the rest of it is a leftover, which the next run removes.
pub(super) fn replace(mut new: Temporary<'_>) -> Result<()> {
    let entry = new.entry();
    let (name, directory) = directory::make_temporary(entry)?;
    let private = PrivateDirectory { entry, name, directory };
    new.move_into(&private.directory, OsStr::new(INSIDE))?;
    let (from, to) = (&private.directory, &entry.directory);
    match calls::renameat_with(from, INSIDE, to, entry.name, RenameFlags::EXCHANGE) {
        Ok(()) => private.remove(),
        // The file system cannot exchange two names, so the name does not exist for a moment.
        Err(Errno::INVAL | Errno::NOSYS) => {
            tree::remove(to, entry.name, entry.path)?;
            calls::renameat(from, INSIDE, to, entry.name)
                .map_err(|errno| entry.error("put into place", errno))?;
            private.remove()
        }
        Err(errno) => Err(entry.error("put into place", errno)),
    }
}

impl PrivateDirectory<'_> {
    fn remove(mut self) -> Result<()> {
        self.remove_once()
    }

    /// Removes the directory; does nothing the second time.
    fn remove_once(&mut self) -> Result<()> {
        let name = std::mem::take(&mut self.name);
        if name.is_empty() {
            return Ok(());
        }
        tree::remove(&self.entry.directory, &name, &self.entry.path.with_file_name(&name))
    }
}

impl Drop for PrivateDirectory<'_> {
    fn drop(&mut self) {
        // The first failure is the one to report.
        let _ = self.remove_once();
    }
}

/// Whether this directory can only have been created here: private, ours, and with nothing but a replaced tree inside.
pub(super) fn is_one(opened: impl AsFd, stat: &Stat) -> bool {
    let private = stat.st_mode & 0o7777 == directory::PRIVATE;
    let ours = stat.st_uid == rustix::process::geteuid().as_raw();
    private && ours && has_nothing_else(opened)
}

fn has_nothing_else(opened: impl AsFd) -> bool {
    let Ok(entries) = Dir::read_from(opened) else { return false };
    let mut names =
        entries.map(|entry| entry.map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()));
    names.all(|name| name.is_ok_and(|name| name == "." || name == ".." || name == INSIDE))
}
