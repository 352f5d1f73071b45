//! The root directory of all paths: the machine's own, or another directory.

mod open_directories;

use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use uphold_resource::{Error, Result};

use super::io_error::io_error;
use crate::calls;
use crate::walk::{self, Trust};

use open_directories::{OpenDirectories, Pause};

pub(crate) use open_directories::Place;

/// How many times a lookup that raced with a rename is repeated before the slow walk is used.
const RACES: usize = 8;

/// The flags to open a directory in which something is changed.
pub(crate) const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The root directory of all paths.
pub(crate) struct Root {
    under: Option<Under>,
    /// Set if directories stay open between looks.
    directories: Option<OpenDirectories>,
}

/// A root directory other than the machine's own.
pub(crate) struct Under {
    /// The path as the user gave it.
    pub(crate) path: PathBuf,
    /// Kept open: renaming the directory does not change it.
    pub(crate) directory: OwnedFd,
}

impl Root {
    /// The machine's own root.
    pub(crate) const fn machine() -> Self {
        Self { under: None, directories: None }
    }

    /// The directory `path`, which may be reached through links.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = calls::open(path, flags, Mode::empty()).map_err(|errno| unusable(path, errno))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self { under: Some(Under { path, directory }), directories: None })
    }

    /// A second handle of the same root.
    pub(crate) fn again(&self) -> Result<Self> {
        let again = |under: &Under| {
            let fail = |error| io_error("open again the root directory", &under.path, error);
            let directory = under.directory.try_clone().map_err(fail)?;
            Ok(Under { path: under.path.clone(), directory })
        };
        Ok(Self { under: self.under.as_ref().map(again).transpose()?, directories: None })
    }

    /// The other root; `None` for the machine's own.
    pub(crate) fn under(&self) -> Option<&Under> {
        self.under.as_ref()
    }

    /// `path` with the path of the root, for messages.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        match &self.under {
            Some(under) => under.path.join(path.strip_prefix("/").unwrap_or(path)),
            None => path.to_owned(),
        }
    }

    /// Opens `path` for reading. A final link is not followed; links before it are.
    pub(crate) fn open(&self, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = trimmed(path);
        match &self.under {
            None => calls::open(path, flags, Mode::empty()),
            Some(under) => match beneath(under, path, flags, ResolveFlags::empty()) {
                Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => self.open_by_walking(path, flags),
                other => other,
            },
        }
    }

    /// Opens `path` for reading. All links are followed.
    pub(crate) fn follow(&self, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        match &self.under {
            None => calls::open(path, flags, Mode::empty()),
            Some(under) => match beneath(under, path, flags, ResolveFlags::empty()) {
                Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => self.open_by_walking(path, flags),
                other => other,
            },
        }
    }

    /// The same root; directories stay open between looks.
    pub(crate) fn keeping_directories(self) -> Self {
        Self { directories: Some(OpenDirectories::default()), ..self }
    }

    /// The open directory of `path`, and the name in it; none if `path` has to be found in another way, such as one with links.
    pub(crate) fn place<'a>(&self, path: &'a Path) -> Option<Place<'a>> {
        self.directories.as_ref()?.place(self, path)
    }

    /// Closes all directories, and keeps none open until the result is dropped.
    pub(crate) fn pause(&self) -> Option<Pause<'_>> {
        self.directories.as_ref().map(OpenDirectories::pause)
    }

    /// Opens `path` if no component is a link; otherwise fails with [`Errno::LOOP`].
    pub(crate) fn open_without_links(&self, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        match &self.under {
            None => calls::openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS),
            Some(under) => beneath(under, path, flags, ResolveFlags::NO_SYMLINKS),
        }
    }

    /// Opens a path on kernels without `openat2`. A final link is not followed.
    fn open_by_walking(&self, path: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let (parent, name) = match path.file_name() {
            Some(name) => (path.parent().unwrap_or(path), name.as_bytes()),
            None => (path, b".".as_slice()),
        };
        let parent = walk::directory(self, parent, Trust::Anyone).map_err(walk::Stop::errno)?;
        calls::openat(parent, name, flags | OFlags::NOFOLLOW, Mode::empty())
    }
}

fn unusable(path: &Path, errno: Errno) -> Error {
    let error = io_error("use the root directory", path, errno.into());
    match errno {
        Errno::NOENT => error.hint("create the directory first"),
        Errno::NOTDIR => error.hint("give a directory that contains a system, or will"),
        _ => error,
    }
}

/// Opens `path` with `under` as its root: absolute links and `..` stay inside.
fn beneath(under: &Under, path: &Path, flags: OFlags, more: ResolveFlags) -> rustix::io::Result<OwnedFd> {
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS | more;
    let open = || calls::openat2(&under.directory, path, flags, Mode::empty(), resolve);
    (0..RACES)
        .map(|_| open())
        .find(|opened| !matches!(opened, Err(Errno::AGAIN)))
        .unwrap_or(Err(Errno::AGAIN))
}

/// `path` without a final slash or dot, which would make the kernel follow a final link.
pub(crate) fn trimmed(path: &Path) -> &Path {
    match path.as_os_str().as_bytes().last() {
        Some(b'/' | b'.') => path.components().as_path(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// The walk for old kernels must give the same results as `openat2`.
    #[test]
    fn walking_and_openat2_agree() {
        let ground = tempfile::TempDir::new().unwrap();
        std::fs::create_dir_all(ground.path().join("a/b")).unwrap();
        std::fs::write(ground.path().join("a/b/file"), "").unwrap();
        for (target, link) in
            [("/a", "absolute"), ("../..", "a/up"), ("b/../b", "a/dots"), ("/none", "broken")]
        {
            symlink(target, ground.path().join(link)).unwrap();
        }
        let root = Root::at(ground.path()).unwrap();
        let where_to =
            |opened: rustix::io::Result<OwnedFd>| opened.map(|fd| calls::fstat(fd).unwrap().st_ino);
        let check = |path: &str| {
            let path = Path::new(path);
            let flags = OFlags::PATH | OFlags::CLOEXEC;
            let expected = where_to(root.open(path, flags));
            assert_eq!(where_to(root.open_by_walking(path, flags)), expected, "{}", path.display());
        };
        ["/", "/..", "/a/b/file", "a/b", "/absolute", "/absolute/b/file", "/a/up/a/b"]
            .into_iter()
            .for_each(check);
        ["/a/dots/file", "/../../../a", "/a/up/../absolute/dots"].into_iter().for_each(check);
        ["/broken", "/broken/x", "/none", "/none/x", "/a/b/file/x"].into_iter().for_each(check);
    }
}
