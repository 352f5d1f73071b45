//! Putting a file at the name of a directory.
//!
//! The new file waits in a private directory of ours, and is exchanged with the old directory. So the old tree is in there
//! from the same instant on, and whoever finds it there knows that it is to be removed: nobody else can have put it there.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{Dir, RenameFlags, Stat};
use rustix::io::Errno;
use uphold_resource::Result;

use super::file::Temporary;
use crate::calls;
use crate::directory;
use crate::spot::Spot;
use crate::tree;

/// The only name in the private directory.
const INSIDE: &str = "uphold-replaced";

/// A private directory of ours with a temporary name. Dropped, it goes with all that is inside.
struct Waiting<'a> {
    spot: &'a Spot<'a>,
    name: OsString,
    directory: OwnedFd,
}

/// Puts a file at its real name, which is a directory's; that goes, with all that is inside.
///
/// # Errors
/// If the file cannot be put there: then the old directory is unchanged. If it is in place and the old directory cannot be
/// removed: what is left of it is left over, and removed by the next run.
pub(super) fn replace(mut new: Temporary<'_>) -> Result<()> {
    let spot = new.spot();
    let (name, directory) = directory::make_temporary(spot)?;
    let waiting = Waiting { spot, name, directory };
    new.enter(&waiting.directory, OsStr::new(INSIDE))?;
    let (from, to) = (&waiting.directory, &spot.directory);
    match calls::renameat_with(from, INSIDE, to, spot.name, RenameFlags::EXCHANGE) {
        Ok(()) => waiting.remove(),
        // The file system cannot exchange two names: then the name is gone for a moment.
        Err(Errno::INVAL | Errno::NOSYS) => {
            tree::remove(to, spot.name, spot.path)?;
            calls::renameat(from, INSIDE, to, spot.name)
                .map_err(|errno| spot.error("put into place", errno))?;
            waiting.remove()
        }
        Err(errno) => Err(spot.error("put into place", errno)),
    }
}

impl Waiting<'_> {
    fn remove(mut self) -> Result<()> {
        self.take_away()
    }

    /// Does nothing the second time.
    fn take_away(&mut self) -> Result<()> {
        let name = std::mem::take(&mut self.name);
        if name.is_empty() {
            return Ok(());
        }
        tree::remove(&self.spot.directory, &name, &self.spot.path.with_file_name(&name))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // We are failing already; what failed first is what the user has to know.
        let _ = self.take_away();
    }
}

/// Whether this directory can only have been made here: private, ours, and nothing but a replaced tree is inside.
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
