//! The unix socket of a watch: private, and used by one watch at a time.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, openat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};
use rustix::process::geteuid;
use uphold_resource::{Error, ErrorKind, Result};

/// The backlog of connections that are not accepted yet.
const BACKLOG: i32 = 64;

/// The mode of a new directory.
const DIRECTORY: Mode = Mode::RWXU;
const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// The default socket of a watch called `name`: below `/run` for root, else below the user's `XDG_RUNTIME_DIR`, which the
/// caller passes. None if there is none.
pub fn default_socket(runtime_directory: Option<&Path>, name: &str) -> Option<PathBuf> {
    let runtime = runtime_directory.filter(|path| path.is_absolute());
    let base = if geteuid().is_root() { Path::new("/run") } else { runtime? };
    Some(base.join("uphold").join(format!("{name}.sock")))
}

/// A listening socket. It is removed when this is dropped.
///
/// # Guarantees
/// - Only its owner can connect, from its creation on.
/// - One process listens at a path: it holds a lock, which the kernel releases with the process.
/// - Only a socket of this user is removed, and no link is followed in a directory that others can write.
pub(crate) struct ListeningSocket {
    name: Named,
    /// Closing it releases the lock.
    _lock: OwnedFd,
}

/// A name in an open directory, so that a renamed path does not matter.
struct Named {
    path: PathBuf,
    directory: OwnedFd,
    name: OsString,
}

impl ListeningSocket {
    /// Locks the path, and listens there.
    ///
    /// # Errors
    /// If another watch listens there, the directory is not trusted, or the system refuses.
    pub(crate) fn open(path: &Path) -> Result<(Self, OwnedFd)> {
        let name = Named::find(path)?;
        let lock = lock(&name)?;
        name.clear()?;
        let listener = listener(path)?;
        // The directory may have been replaced meanwhile: the socket must be in the one that was checked.
        match name.found()? {
            Some(there) if is_socket(&there) => Ok((Self { name, _lock: lock }, listener)),
            _ => Err(refused(ErrorKind::Denied, path, "its directory was replaced meanwhile")),
        }
    }
}

impl Drop for ListeningSocket {
    fn drop(&mut self) {
        // The next watch removes a stale socket.
        let _ = unlinkat(&self.name.directory, &self.name.name, AtFlags::empty());
    }
}

impl Named {
    fn find(path: &Path) -> Result<Self> {
        let name = path.file_name().ok_or_else(|| {
            let error = Error::new(ErrorKind::Invalid, format!("{} is no path of a socket", path.display()));
            error.hint("use a file name, as in /run/uphold/watch.sock")
        })?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { path: path.to_owned(), directory: open_directory(parent)?, name: name.to_owned() })
    }

    fn found(&self) -> Result<Option<Stat>> {
        match statat(&self.directory, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(Error::io("listen at", &self.path, errno.into())),
        }
    }

    /// Removes the stale socket of a killed watch: its lock is ours now.
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

/// Opens the directory, and creates it if it is missing.
fn open_directory(path: &Path) -> Result<OwnedFd> {
    let fail = |errno: Errno| Error::io("use the directory", path, errno.into());
    let hint = "use a directory that only you can write: --socket PATH";
    match rustix::fs::mkdir(path, DIRECTORY) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(errno) => return Err(fail(errno).hint("create it, or use another path: --socket PATH")),
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(CWD, path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::LOOP | Errno::NOTDIR => {
            refused(ErrorKind::UnsafeLink, path, "it is a link, or no directory").hint(hint)
        }
        errno => fail(errno),
    })?;
    let stat = fstat(&directory).map_err(fail)?;
    let is_ours = stat.st_uid == geteuid().as_raw() || stat.st_uid == 0;
    let is_open = stat.st_mode & OTHERS_WRITE != 0 && stat.st_mode & STICKY == 0;
    if is_ours && !is_open {
        Ok(directory)
    } else {
        Err(refused(ErrorKind::Denied, path, "other users can write there").hint(hint))
    }
}

/// Locks the file beside the socket. It is never removed: that could remove the lock of another process.
fn lock(name: &Named) -> Result<OwnedFd> {
    let path = &name.path;
    let mut beside = name.name.clone();
    beside.push(".lock");
    let fail = |errno: Errno| Error::io("lock the socket", path, errno.into());
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

/// A socket that gets its mode before its name: otherwise others could connect for a moment.
fn listener(path: &Path) -> Result<OwnedFd> {
    let fail = |errno: Errno| Error::io("listen at", path, errno.into());
    let address = SocketAddrUnix::new(path).map_err(|errno| {
        fail(errno).hint("the limit is about 100 characters: use a shorter path with --socket PATH")
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

/// The lock is taken; the socket knows the process.
fn taken(path: &Path) -> Error {
    let who = match listening_process(path) {
        Some(pid) => format!("another watch is running, pid {pid}"),
        None => "another watch is running, or about to end".to_owned(),
    };
    refused(ErrorKind::Denied, path, &who)
        .hint("stop it, or listen elsewhere: --socket PATH, or --socket none")
}

fn in_the_way(path: &Path) -> Error {
    let why = "the existing file is no socket of this user";
    refused(ErrorKind::WrongType, path, why).hint("listen elsewhere: --socket PATH")
}

fn refused(kind: ErrorKind, path: &Path, why: &str) -> Error {
    Error::new(kind, format!("cannot listen at {}: {why}", path.display()))
}

/// The process that listens at a path, if one does.
fn listening_process(path: &Path) -> Option<i32> {
    let stream = UnixStream::connect(path).ok()?;
    Some(socket_peercred(&stream).ok()?.pid.as_raw_nonzero().get())
}

/// Whether the peer is this user or root, by the credentials that the kernel recorded.
pub(crate) fn is_trusted(stream: impl AsFd) -> bool {
    let uid = socket_peercred(stream).map(|peer| peer.uid);
    uid.is_ok_and(|uid| uid.is_root() || uid == geteuid())
}
