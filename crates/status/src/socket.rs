//! The place of the socket: private, and only one watch's at a time.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, openat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};
use rustix::process::geteuid;
use uphold_resource::{Error, ErrorKind, Result};

use crate::peer;

/// How many may knock before they are let in.
const BACKLOG: i32 = 64;

/// Nobody but the owner, and the mode of directories in which names belong to who made them.
const DIRECTORY: Mode = Mode::RWXU;
const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Where a watch called `name` listens unless told: below `/run` for root, else below the directory for sockets of
/// this user's session, which whoever calls takes from `XDG_RUNTIME_DIR`. None if there is none.
pub fn default_socket(runtime_directory: Option<&Path>, name: &str) -> Option<PathBuf> {
    let base = match geteuid().is_root() {
        true => Path::new("/run"),
        false => runtime_directory.filter(|path| path.is_absolute())?,
    };
    Some(base.join("uphold").join(format!("{name}.sock")))
}

/// A socket that listens at a path. It is removed when this is dropped.
///
/// # Guarantees
/// - Only its owner can connect, from the moment that it is there.
/// - Of all who want to listen there, one does: it holds a lock as long as it lives, however it ends.
/// - Nothing is removed but a socket of ours, and no link is followed in a directory that others can write.
pub(crate) struct Place {
    name: Named,
    /// Unlocked by the system when it is closed.
    _lock: OwnedFd,
}

/// A name in a directory that stays the same, whatever becomes of the path.
struct Named {
    path: PathBuf,
    directory: OwnedFd,
    name: OsString,
}

impl Place {
    /// Takes the place, and listens there.
    ///
    /// # Errors
    /// If another watch listens there, if the directory cannot be trusted, or if the system refuses.
    pub(crate) fn take(path: &Path) -> Result<(Self, OwnedFd)> {
        let name = Named::find(path)?;
        let lock = lock(&name)?;
        name.clear()?;
        let listener = listener(path)?;
        // The name must have appeared where we looked: the directory may have been exchanged meanwhile.
        match name.found()? {
            Some(there) if is_socket(&there) => Ok((Self { name, _lock: lock }, listener)),
            _ => Err(exchanged(path)),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // If it stays, whoever comes next removes it.
        let _ = unlinkat(&self.name.directory, &self.name.name, AtFlags::empty());
    }
}

impl Named {
    fn find(path: &Path) -> Result<Self> {
        let name = path.file_name().ok_or_else(|| {
            let error = Error::new(ErrorKind::Invalid, format!("{} names no socket", path.display()));
            error.hint("name a file, as in /run/uphold/watch.sock")
        })?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { path: path.to_owned(), directory: open_directory(parent)?, name: name.to_owned() })
    }

    /// What is there.
    fn found(&self) -> Result<Option<Stat>> {
        match statat(&self.directory, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(Error::io("listen at", &self.path, errno.into())),
        }
    }

    /// Removes the socket of a watch that did not end in order: we have its lock, so it is gone.
    fn clear(&self) -> Result<()> {
        match self.found()? {
            None => Ok(()),
            Some(stale) if is_socket(&stale) && stale.st_uid == geteuid().as_raw() => {
                let removed = unlinkat(&self.directory, &self.name, AtFlags::empty());
                removed.map_err(|errno| Error::io("listen at", &self.path, errno.into()))
            }
            Some(_) => Err(in_the_way(&self.path)),
        }
    }
}

/// Opens the directory, which is made if it is not there.
fn open_directory(path: &Path) -> Result<OwnedFd> {
    let fail = |errno: Errno| Error::io("use the directory", path, errno.into());
    match rustix::fs::mkdir(path, DIRECTORY) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(errno) => return Err(fail(errno).hint("make it, or say where else to listen: --socket PATH")),
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(CWD, path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::LOOP | Errno::NOTDIR => not_a_directory(path),
        errno => fail(errno),
    })?;
    let stat = fstat(&directory).map_err(fail)?;
    let is_ours = stat.st_uid == geteuid().as_raw() || stat.st_uid == 0;
    let is_open = stat.st_mode & OTHERS_WRITE != 0 && stat.st_mode & STICKY == 0;
    match is_ours && !is_open {
        true => Ok(directory),
        false => Err(untrusted(path)),
    }
}

/// Locks the file beside the socket. It stays there, since who removes it could remove the lock of another.
fn lock(name: &Named) -> Result<OwnedFd> {
    let path = &name.path;
    let mut beside = name.name.clone();
    beside.push(".lock");
    let fail = |errno: Errno| Error::io("lock the place of the socket", path, errno.into());
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let lock = openat(&name.directory, beside, flags, PRIVATE).map_err(fail)?;
    if fstat(&lock).map_err(fail)?.st_uid != geteuid().as_raw() {
        return Err(in_the_way(path));
    }
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(lock),
        Err(Errno::WOULDBLOCK) => Err(taken(path)),
        Err(errno) => Err(fail(errno)),
    }
}

/// A socket that has its mode before it has a name: otherwise anybody could connect for a moment.
fn listener(path: &Path) -> Result<OwnedFd> {
    let fail = |errno: Errno| Error::io("listen at", path, errno.into());
    let address = SocketAddrUnix::new(path).map_err(|errno| {
        fail(errno).hint("the system allows about 100 characters: say a shorter one with --socket PATH")
    })?;
    let socket =
        socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).map_err(fail)?;
    rustix::fs::fchmod(&socket, PRIVATE).map_err(fail)?;
    bind(&socket, &address).map_err(fail)?;
    listen(&socket, BACKLOG).map_err(fail)?;
    Ok(socket)
}

fn is_socket(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Socket
}

/// Somebody has the lock: who, tells the socket.
fn taken(path: &Path) -> Error {
    let who = match peer::listener(path) {
        Some(pid) => format!("another watch is running, pid {pid}"),
        None => "another watch is running, or about to end".to_owned(),
    };
    let error = Error::new(ErrorKind::Denied, format!("cannot listen at {}: {who}", path.display()));
    error.hint("end that one, or listen elsewhere: --socket PATH, or --socket none")
}

fn in_the_way(path: &Path) -> Error {
    let what = format!("cannot listen at {}: what is there is no socket of ours", path.display());
    Error::new(ErrorKind::WrongType, what).hint("remove it, or listen elsewhere: --socket PATH")
}

fn not_a_directory(path: &Path) -> Error {
    let what = format!("cannot listen in {}: it is no directory, or a link to one", path.display());
    Error::new(ErrorKind::UnsafeLink, what)
        .hint("listen in another directory, which no other user can write: --socket PATH")
}

fn untrusted(path: &Path) -> Error {
    let what = format!("cannot listen in {}: others could take what is there away", path.display());
    Error::new(ErrorKind::Denied, what).hint("use a directory that only you can write: --socket PATH")
}

fn exchanged(path: &Path) -> Error {
    let what = format!("cannot listen at {}: somebody exchanged its directory", path.display());
    Error::new(ErrorKind::Denied, what)
}
