//! Walks to a directory, one component at a time.
//!
//! # Which links are followed
//! For a write, a link is followed only if its directory belongs to root or to us, and neither its group nor others can write
//! it: then no other user can have planted the link. For content that is read, a private group is trusted, too (`trust.rs`).
//! This is stricter than the kernel's `protected_symlinks`, which also accepts a link in a sticky directory if its owner is
//! right; but a link that root created elsewhere can be moved into such a directory.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::calls;
use crate::root::Root;
use crate::trust::Judge;

/// The number of links that the kernel follows.
const MOST_LINKS: u32 = 40;

/// Which links are followed.
#[derive(Clone, Copy)]
pub(crate) enum Trust<'a> {
    /// All: sufficient to read attributes.
    Anyone,
    /// Only links that no other user than root and us could have planted.
    RootAndUs,
    /// Only links in directories that the judge trusts.
    Judged(&'a Judge),
}

impl Trust<'_> {
    /// Whether links in this directory are followed.
    fn admits(self, directory: &OwnedFd) -> rustix::io::Result<bool> {
        Ok(match self {
            Trust::Anyone => true,
            Trust::RootAndUs => ours_alone(&calls::fstat(directory)?),
            Trust::Judged(judge) => judge.doubt(directory, &calls::fstat(directory)?).is_none(),
        })
    }
}

/// The reason why a walk ended early.
pub(crate) enum Stop {
    /// A system call failed.
    System(Errno),
    /// This link could have been planted.
    Unsafe(PathBuf),
}

impl Stop {
    /// The errno that the system would have returned.
    pub(crate) fn errno(self) -> Errno {
        match self {
            Stop::System(errno) => errno,
            Stop::Unsafe(_) => Errno::LOOP,
        }
    }
}

impl From<Errno> for Stop {
    fn from(errno: Errno) -> Self {
        Stop::System(errno)
    }
}

/// Opens the directory `path`; links in the path and at its end are followed as far as `trust` allows. Costs two system calls
/// for each component: used for paths with links, and on old kernels.
pub(crate) fn directory(root: &Root, path: &Path, trust: Trust<'_>) -> Result<OwnedFd, Stop> {
    let mut walk = Walk::begin(root, path, trust)?;
    while let Some(name) = walk.ahead.pop() {
        walk.step(&name)?;
    }
    Ok(usable(&walk.here)?)
}

/// A path that is followed one component at a time.
pub(crate) struct Walk<'a> {
    top: OwnedFd,
    /// The directories above `here`, so that `..` cannot leave the root, whatever is renamed.
    pub(crate) above: Vec<OwnedFd>,
    /// The current position, open for lookups only.
    pub(crate) here: OwnedFd,
    /// The remaining components, the next one last.
    pub(crate) ahead: Vec<OsString>,
    /// The path of `here` without links, for messages.
    pub(crate) trail: PathBuf,
    /// The number of links that were followed.
    pub(crate) links: u32,
    trust: Trust<'a>,
}

impl<'a> Walk<'a> {
    /// A walk at the root, with all of `path` ahead.
    pub(crate) fn begin(root: &Root, path: &Path, trust: Trust<'a>) -> Result<Self, Stop> {
        let top = match root.under() {
            Some(under) => under.directory.try_clone().map_err(|error| as_errno(&error))?,
            None => open_path(rustix::fs::CWD, OsStr::new("/"))?,
        };
        let path = match root.under() {
            Some(_) => path.to_owned(),
            None => std::path::absolute(path).map_err(|error| as_errno(&error))?,
        };
        let here = top.try_clone().map_err(|error| as_errno(&error))?;
        let trail = PathBuf::from("/");
        let mut walk = Self { top, above: Vec::new(), here, ahead: Vec::new(), trail, links: 0, trust };
        walk.push(&path);
        Ok(walk)
    }

    /// Adds the components of `path` before the remaining ones.
    fn push(&mut self, path: &Path) {
        self.ahead.extend(path.components().rev().filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some(OsString::from("..")),
            _ => None,
        }));
    }

    /// Walks to `name`, the component that was taken from `ahead`. The components of a link are added to `ahead`.
    pub(crate) fn step(&mut self, name: &OsStr) -> Result<(), Stop> {
        if name == ".." {
            // As in the kernel, only a directory has a parent.
            if FileType::from_raw_mode(calls::fstat(&self.here)?.st_mode) != FileType::Directory {
                return Err(Stop::System(Errno::NOTDIR));
            }
            self.up();
            return Ok(());
        }
        let next = open_path(&self.here, name)?;
        let stat = calls::fstat(&next)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
            return self.follow(name, &next);
        }
        self.enter(name, next);
        Ok(())
    }

    fn enter(&mut self, name: &OsStr, next: OwnedFd) {
        self.above.push(std::mem::replace(&mut self.here, next));
        self.trail.push(name);
    }

    fn up(&mut self) {
        if let Some(parent) = self.above.pop() {
            self.here = parent;
            self.trail.pop();
        }
    }

    fn follow(&mut self, name: &OsStr, link: &OwnedFd) -> Result<(), Stop> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(Stop::System(Errno::LOOP));
        }
        if !self.trust.admits(&self.here)? {
            return Err(Stop::Unsafe(self.trail.join(name)));
        }
        // A link in /proc may represent an open file without a name: only the kernel can follow it.
        if matches!(self.trust, Trust::Judged(_)) && is_proc(&self.here) {
            let next = calls::openat(&self.here, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            self.enter(name, next);
            return Ok(());
        }
        let target = OsString::from_vec(calls::readlinkat(link, "")?.into_bytes());
        if target.as_bytes().starts_with(b"/") {
            self.here = self.top.try_clone().map_err(|error| as_errno(&error))?;
            self.above.clear();
            self.trail = PathBuf::from("/");
        }
        self.push(Path::new(&target));
        Ok(())
    }
}

impl Walk<'_> {
    /// Whether the walk is at an entry of a directory in `/proc`.
    pub(crate) fn is_in_proc(&self) -> bool {
        self.above.last().is_some_and(is_proc)
    }
}

fn is_proc(directory: &OwnedFd) -> bool {
    rustix::fs::fstatfs(directory).is_ok_and(|found| found.f_type == rustix::fs::PROC_SUPER_MAGIC)
}

/// Whether only root and we can change the entries of this directory.
pub(crate) fn ours_alone(directory: &Stat) -> bool {
    let is_trusted_owner = directory.st_uid == 0 || directory.st_uid == rustix::process::geteuid().as_raw();
    is_trusted_owner && directory.st_mode & 0o022 == 0
}

fn open_path(directory: impl std::os::fd::AsFd, name: &OsStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    calls::openat(directory, name, flags, Mode::empty())
}

/// Opens the directory for syncing, if we may read it; otherwise for lookups only.
fn usable(directory: &OwnedFd) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    match calls::openat(directory, ".", flags | OFlags::RDONLY, Mode::empty()) {
        Err(Errno::ACCESS) => calls::openat(directory, ".", flags | OFlags::PATH, Mode::empty()),
        other => other,
    }
}

fn as_errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}
