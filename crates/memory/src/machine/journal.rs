//! The journal of all writes.

use std::fmt;
use std::path::PathBuf;

use uphold_resource::{Access, Error};

use crate::tree::Image;

/// The type of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A file was written.
    Write,
    /// A directory was created.
    MakeDirectory,
    /// A symbolic link was created.
    MakeLink,
    /// A hard link was created.
    MakeHardLink,
    /// Owner or permissions were set.
    SetAccess,
    /// A file was copied here.
    Copy,
    /// A file or link was removed.
    RemoveFile,
    /// An empty directory was removed.
    RemoveDirectory,
    /// An entry was removed with its content.
    RemoveTree,
    /// A command was started; the path is its program. Its writes are recorded separately.
    Run,
    /// A request was sent; the path is its URL.
    Send,
}

impl Edit {
    /// The verb, as in "cannot …", followed by the path.
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
    /// Its type.
    pub what: Edit,
    /// The path that was changed.
    pub path: PathBuf,
    /// The previous state of the path.
    pub before: Before,
    /// Whether it changed nothing: the same content, or the same permissions, again.
    pub needless: bool,
    /// The program that made it; `None` if it was made through an interface directly.
    pub by: Option<String>,
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what.words(), self.path.display())?;
        self.by.iter().try_for_each(|program| write!(f, " (by {program})"))
    }
}

/// The previous state of a path.
#[derive(Clone, Debug)]
pub struct Before(pub(crate) Was);

#[derive(Clone, Debug)]
pub(crate) enum Was {
    /// It did not exist.
    Absent,
    /// An entry with its content.
    Present(Image),
    /// These permissions; nothing else changed.
    Access(Access),
    /// A command was started, or a request sent: that cannot be reverted.
    Started,
}

/// An injected failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// How many writes still succeed.
    pub(crate) left: usize,
    /// Whether all later writes fail, too.
    pub(crate) lasting: bool,
}

/// The error of a write that an injected failure affects.
pub(crate) fn cancelled(what: Edit, path: &std::path::Path) -> Error {
    Error::failed(format!("cannot {} {}: the run was cancelled here", what.words(), path.display()))
}
