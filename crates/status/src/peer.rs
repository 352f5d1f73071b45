//! Who is at the other end of a socket.

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;

/// The process that listens at a path, if one does.
pub(crate) fn listener(path: &Path) -> Option<i32> {
    let stream = UnixStream::connect(path).ok()?;
    Some(socket_peercred(&stream).ok()?.pid.as_raw_nonzero().get())
}

/// Whether the other end is this user or root. The system noted that when it connected, or listened: nobody can
/// pretend.
pub(crate) fn is_trusted(stream: impl AsFd) -> bool {
    let uid = socket_peercred(stream).map(|peer| peer.uid);
    uid.is_ok_and(|uid| uid.is_root() || uid == geteuid())
}
