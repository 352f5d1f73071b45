//! The inotify watches.

use rustix::fs::inotify::{self, WatchFlags};
use rustix::io::Errno;

use super::path_probe;
use super::paths::Paths;
use super::watch_node::{Id, NodeDetails};

/// Events of a directory whose content does not matter, only its names.
const NAMES: WatchFlags =
    WatchFlags::CREATE.union(WatchFlags::DELETE).union(WatchFlags::MOVE).union(WatchFlags::EXCL_UNLINK);

/// Events of a directory whose content matters. A file that is written through a mapping is reported only when it is closed.
const CONTENT: WatchFlags = WatchFlags::MODIFY.union(WatchFlags::CLOSE_WRITE).union(WatchFlags::ATTRIB);

impl Paths {
    /// Whether it needs a watch: its children matter, or its directory does not see all of its changes.
    pub(super) fn wants_watch(&self, id: Id) -> bool {
        self.tree.needs_directory_watch(id) || self.is_shared(id)
    }

    fn is_shared(&self, id: Id) -> bool {
        self.tree.details(id).is_some_and(|details| details.shared)
    }

    /// Watches a mount point or a file with other hard links itself, because its directory does not see all of its changes.
    pub(super) fn watch_if_shared(&mut self, id: Id) {
        if self.is_shared(id) {
            self.watch_content(id);
            self.catch_up(id, 0);
        }
    }

    /// From now on, watches content and attributes of the entries of the directory `id`.
    pub(super) fn watch_content(&mut self, id: Id) {
        let details = self.tree.details_mut(id);
        let is_new = !std::mem::replace(&mut details.with_content, true);
        if is_new && details.watch.is_some() {
            self.watch(id);
        }
    }

    /// Watches the current entry instead of the previous one.
    pub(super) fn watch(&mut self, id: Id) {
        let what = self.what_to_watch(id);
        let watched = path_probe::watch(&self.root, &self.inotify, &self.tree.path(id), what);
        if !watched
            .is_ok_and(|watch| self.tree.details(id).is_some_and(|details| details.watch == Some(watch)))
        {
            self.unwatch(id);
        }
        let details = self.tree.details_mut(id);
        details.absent =
            matches!(watched, Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG));
        match watched {
            Ok(watch) => {
                details.watch = Some(watch);
                self.watched.entry(watch).or_default().insert(id);
            }
            Err(_) if details.absent => {}
            Err(errno) => {
                self.blind.insert(id);
                self.failures.push((id, errno));
            }
        }
    }

    fn what_to_watch(&self, id: Id) -> WatchFlags {
        let with_content = |details: &NodeDetails| details.with_content || details.in_tree;
        let alone = self.is_shared(id) && self.tree.matters_itself(id);
        let with_content = alone || self.tree.details(id).is_some_and(with_content);
        let content = if with_content { CONTENT } else { WatchFlags::empty() };
        // Only a shared entry may be a single file.
        let kind = if self.is_shared(id) { WatchFlags::empty() } else { WatchFlags::ONLYDIR };
        NAMES | content | kind
    }

    /// Removes the watch.
    pub(super) fn unwatch(&mut self, id: Id) {
        self.blind.remove(&id);
        let Some(watch) = self.tree.forget_watch(id) else { return };
        let Some(others) = self.watched.get_mut(&watch) else { return };
        others.remove(id);
        if others.is_empty() {
            self.watched.remove(&watch);
            // The kernel removes the watch of a removed directory by itself.
            let _ = inotify::remove_watch(&self.inotify, watch);
        }
    }
}
