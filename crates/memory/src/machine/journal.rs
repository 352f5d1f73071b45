//! What was changed, write by write.

use std::fmt;
use std::path::PathBuf;

use uphold_resource::{Access, Error};

use crate::tree::Image;

/// What sort of change a write is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A file was put in place.
    Write,
    /// A directory was made.
    MakeDirectory,
    /// A symbolic link was put in place.
    MakeLink,
    /// A hard link was put in place.
    MakeHardLink,
    /// Owner or permissions were set.
    SetAccess,
    /// A file was copied here.
    Copy,
    /// A file or link was removed.
    RemoveFile,
    /// An empty directory was removed.
    RemoveDirectory,
    /// Something was removed with all that was inside.
    RemoveTree,
    /// A command was started; the path is its program. What it writes is recorded besides.
    Run,
    /// A request was sent; the path is its URL.
    Send,
}

impl Edit {
    /// As in "cannot …", with the path after it.
    pub fn words(self) -> &'static str {
        match self {
            Edit::Write => "write",
            Edit::MakeDirectory => "make the directory",
            Edit::MakeLink => "make the link",
            Edit::MakeHardLink => "make the hard link",
            Edit::SetAccess => "set the permissions of",
            Edit::Copy => "copy to",
            Edit::RemoveFile => "remove",
            Edit::RemoveDirectory => "remove the directory",
            Edit::RemoveTree => "remove the tree",
            Edit::Run => "run",
            Edit::Send => "send a request to",
        }
    }
}

/// One change of the machine.
#[derive(Clone, Debug)]
pub struct Write {
    /// What sort of change.
    pub what: Edit,
    /// What was changed.
    pub path: PathBuf,
    /// What was there before.
    pub before: Before,
    /// Whether it left everything as it was: the same content, or the same access, again.
    pub needless: bool,
    /// The program that did it, unless it came through a door directly.
    pub by: Option<String>,
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what.words(), self.path.display())?;
        self.by.iter().try_for_each(|program| write!(f, " (by {program})"))
    }
}

/// What was at a path before a write.
#[derive(Clone, Debug)]
pub struct Before(pub(crate) Was);

#[derive(Clone, Debug)]
pub(crate) enum Was {
    /// Nothing.
    Absent,
    /// This, with all that was inside.
    Present(Image),
    /// This access; the rest was not touched.
    Access(Access),
    /// A command was started, or a request sent: that cannot be taken back.
    Started,
}

/// A failure that waits for its write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// How many writes still succeed.
    pub(crate) left: usize,
    /// Whether all later writes fail, too.
    pub(crate) lasting: bool,
}

/// What a write says that a fault has hit.
pub(crate) fn cancelled(what: Edit, path: &std::path::Path) -> Error {
    Error::failed(format!("cannot {} {}: the run was cancelled here", what.words(), path.display()))
}
