//! Which directories the kernel watches for us.

use rustix::fs::inotify::{self, WatchFlags};
use rustix::io::Errno;

use super::ground;
use super::paths::Paths;
use super::waypoint::{Id, Inside};

/// What has to be known of a directory that only leads further down.
const NAMES: WatchFlags =
    WatchFlags::CREATE.union(WatchFlags::DELETE).union(WatchFlags::MOVE).union(WatchFlags::EXCL_UNLINK);

/// What has to be known of what is in a directory. A file that is written through a mapping tells only when it is closed.
const CONTENT: WatchFlags = WatchFlags::MODIFY.union(WatchFlags::CLOSE_WRITE).union(WatchFlags::ATTRIB);

impl Paths {
    /// Whether something in it matters, or it cannot be seen from the directory that it is in.
    pub(super) fn wants_watch(&self, id: Id) -> bool {
        self.points.is_directory_of_something(id) || self.is_shared(id)
    }

    fn is_shared(&self, id: Id) -> bool {
        self.points.inside(id).is_some_and(|inside| inside.shared)
    }

    /// What is mounted or has other names is watched itself: the directory above does not hear of every change to it.
    pub(super) fn watch_if_shared(&mut self, id: Id) {
        if self.is_shared(id) {
            self.watch_closely(id);
            self.catch_up(id, 0);
        }
    }

    /// From now on content and attributes of what is in the directory `id` matter.
    pub(super) fn watch_closely(&mut self, id: Id) {
        let inside = self.points.inside_mut(id);
        let is_new = !std::mem::replace(&mut inside.closely, true);
        if is_new && inside.watch.is_some() {
            self.watch(id);
        }
    }

    /// Watches what is there now, instead of what was there before.
    pub(super) fn watch(&mut self, id: Id) {
        let what = self.what_to_watch(id);
        let watched = ground::watch(&self.root, &self.inotify, &self.points.path(id), what);
        if !watched
            .is_ok_and(|watch| self.points.inside(id).is_some_and(|inside| inside.watch == Some(watch)))
        {
            self.unwatch(id);
        }
        let inside = self.points.inside_mut(id);
        inside.absent =
            matches!(watched, Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG));
        match watched {
            Ok(watch) => {
                inside.watch = Some(watch);
                self.watched.entry(watch).or_default().insert(id);
            }
            Err(_) if inside.absent => {}
            Err(errno) => {
                self.blind.insert(id);
                self.trouble.push((id, errno));
            }
        }
    }

    fn what_to_watch(&self, id: Id) -> WatchFlags {
        let closely = |inside: &Inside| inside.closely || inside.grown;
        let alone = self.is_shared(id) && self.points.is_wanted_itself(id);
        let content = match alone || self.points.inside(id).is_some_and(closely) {
            true => CONTENT,
            false => WatchFlags::empty(),
        };
        // Only what is shared may be a single file.
        let kind = if self.is_shared(id) { WatchFlags::empty() } else { WatchFlags::ONLYDIR };
        NAMES | content | kind
    }

    /// Watches it no more.
    pub(super) fn unwatch(&mut self, id: Id) {
        self.blind.remove(&id);
        let Some(watch) = self.points.forget_watch(id) else { return };
        let Some(others) = self.watched.get_mut(&watch) else { return };
        others.remove(id);
        if others.is_empty() {
            self.watched.remove(&watch);
            // It is gone by itself if the directory is.
            let _ = inotify::remove_watch(&self.inotify, watch);
        }
    }
}
