//! Directories that stay open between looks, so that a file in one of them is found by its name alone.
//!
//! # Why the result is the same
//! The kernel finds a file in two steps, too: first its directory, then the name in it. Only the time between the two is
//! longer here, by at most [`LONGEST`], and no change of this run lies between them:
//! - Everything by which the run may move, replace or unmount a directory, or learn that another process did so, begins and
//!   ends with no open directory ([`OpenDirectories::pause`]). So a resource sees the changes of its dependencies, and no
//!   file system is busy because of us.
//! - A directory is kept only if no link leads to it. So the rules for links apply as without it: there is none to follow.
//!
//! Only a run that ends keeps directories: a watch learns of changes from the kernel, and must see them at once.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use rustix::fs::OFlags;
use rustix::process::{Resource, getrlimit};
use uphold_resource::Mutex;

use super::Root;
use crate::clock;

/// How long a directory is used after it was opened, by a coarse clock: another process may have moved it since.
const LONGEST: Duration = Duration::from_millis(20);

/// The most open directories.
const MOST: usize = 256;

/// They use at most this part of the handles that the process may have.
const SHARE_OF_HANDLES: u64 = 4;

/// For lookups only, so that the directory need not be readable.
const FLAGS: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The open directories of a root.
#[derive(Default)]
pub(super) struct OpenDirectories(Mutex<State>);

#[derive(Default)]
struct State {
    /// How many operations run during which no directory is kept.
    pauses: usize,
    /// How many there were.
    paused: u64,
    by_path: FxHashMap<Box<[u8]>, Known>,
    /// The most that are kept; none before the first one.
    most: Option<usize>,
}

/// A directory in which something was looked at.
struct Known {
    handle: Handle,
    since: Duration,
}

#[derive(Clone)]
enum Handle {
    /// A single look is not worth it.
    Unopened,
    Open(Arc<OwnedFd>),
    /// A link is on the way to it, or it cannot be opened.
    Unusable,
}

/// A name in a directory that no link leads to.
pub(crate) struct Place<'a> {
    pub(crate) directory: Arc<OwnedFd>,
    pub(crate) name: &'a Path,
}

/// No directory is kept as long as this exists.
#[must_use]
pub(crate) struct Pause<'a>(&'a OpenDirectories);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.0.lock().pauses -= 1;
    }
}

impl OpenDirectories {
    /// Closes all directories, and keeps none until the result is dropped.
    pub(super) fn pause(&self) -> Pause<'_> {
        let mut state = self.0.lock();
        state.pauses += 1;
        state.paused += 1;
        state.by_path.clear();
        Pause(self)
    }

    /// The directory of `path`, kept or opened now, and the last name of `path`; none if it has to be found in another way.
    pub(super) fn place<'a>(&self, root: &Root, path: &'a Path) -> Option<Place<'a>> {
        let (directory, name) = split(path)?;
        let now = clock::coarse();
        let paused = {
            let mut state = self.0.lock();
            if state.pauses > 0 {
                return None;
            }
            match state.known(directory, now) {
                Some(Handle::Open(directory)) => return Some(Place { directory, name }),
                Some(Handle::Unusable) => return None,
                // Below another root, a look costs three system calls, otherwise one.
                None if root.under().is_none() => {
                    state.keep(directory, Handle::Unopened, now);
                    return None;
                }
                Some(Handle::Unopened) | None => state.paused,
            }
        };
        // The dot makes the kernel mount a file system that is mounted on demand.
        let inside = Path::new(OsStr::from_bytes(directory)).join(".");
        let opened = root.open_without_links(&inside, FLAGS).map(Arc::new).ok();
        let handle = opened.clone().map_or(Handle::Unusable, Handle::Open);
        let mut state = self.0.lock();
        // An operation that ran meanwhile may have moved the directory.
        if state.paused == paused {
            state.keep(directory, handle, now);
        }
        opened.map(|directory| Place { directory, name })
    }
}

impl State {
    fn known(&self, path: &[u8], now: Duration) -> Option<Handle> {
        let known = self.by_path.get(path)?;
        (now.saturating_sub(known.since) < LONGEST).then(|| known.handle.clone())
    }

    fn keep(&mut self, path: &[u8], handle: Handle, since: Duration) {
        let most = *self.most.get_or_insert_with(most);
        if self.by_path.len() >= most {
            self.by_path.clear();
        }
        self.by_path.insert(path.into(), Known { handle, since });
    }
}

fn most() -> usize {
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX) / SHARE_OF_HANDLES;
    usize::try_from(allowed).map_or(MOST, |allowed| allowed.clamp(1, MOST))
}

/// The directory of an absolute path, and its last name; none for a path in the root directory itself, which costs nothing
/// to find, and for one that does not end in a name.
fn split(path: &Path) -> Option<(&[u8], &Path)> {
    let path = path.as_os_str().as_bytes();
    let at = path.iter().rposition(|byte| *byte == b'/')?;
    let (directory, name) = (&path[..at], &path[at + 1..]);
    let is_name = !matches!(name, b"" | b"." | b"..");
    (directory.starts_with(b"/") && is_name).then(|| (directory, Path::new(OsStr::from_bytes(name))))
}
