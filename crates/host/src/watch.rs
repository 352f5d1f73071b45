//! The watcher of this machine: one serves a whole process.
//!
//! ```text
//! watcher ── epoll ─┬─ paths (inotify): watch_tree, rearm, follow, wake, open_writes
//!                   ├─ mounts (/proc/self/mountinfo)
//!                   ├─ network links (rtnetlink)
//!                   ├─ lines of commands
//!                   ├─ programs (pidfd and /proc)
//!                   ├─ units (signals of systemd)
//!                   └─ a timer and an eventfd for nudges
//! ```
//!
//! # What is not detected
//! - A file that gets another hard link after it was armed, and is then changed by that name.
//! - A write through a mapping, until the file is closed.
//! - Changes by another machine on a network file system, and of files that the kernel generates, such as below `/proc`.
//! - A process that starts and ends between two listings of processes.
//!
//! That is one reason for periodic checks besides the watch.

mod change_batch;
mod epoll;
mod line_command;
mod lines;
mod mounts;
mod network;
mod open_writes;
mod path_probe;
mod paths;
mod programs;
mod rearm;
mod small_set;
mod state;
mod units;
mod wake;
mod watch_node;
mod watch_tree;

use std::hash::{BuildHasher, RandomState};
use std::path::{Component, Path};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use change_batch::ChangeBatch;
use epoll::{AT_ONCE, Epoll, Source};
use paths::Paths;
use rearm::MOST_LINKS;
use rustix::fs::inotify;
use rustix::fs::inotify::WatchFlags;
use rustix::io::Errno;
use state::State;
use uphold_resource::{Interest, Mutex, Result, Token, WatchEvent, Watcher};
use watch_node::{Id, NodeDetails, TOP};

use super::root::Root;

// The watcher of this machine.

/// The limit for rounds of sources, so that sources that are always ready do not block the watcher.
const ROUNDS: usize = 64;

/// Watches this machine, or a system below another root. All mechanisms share one epoll; there is no thread of its own.
/// Callers that arm or collect wait for each other.
pub(crate) struct LocalWatcher {
    epoll: Epoll,
    hasher: RandomState,
    state: Mutex<State>,
    /// Whether a wait saw that the mount table changed. The kernel reports that once, and the wait cannot process it.
    remounted: AtomicBool,
}

impl LocalWatcher {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// If the user has no inotify instances left.
    pub(crate) fn new(root: Root) -> Result<Self> {
        let epoll = Epoll::new()?;
        let state = Mutex::new(State::new(root, &epoll)?);
        Ok(Self { epoll, hasher: RandomState::new(), state, remounted: AtomicBool::new(false) })
    }

    /// A state after a panic of another thread is valid, too: at most, reports are repeated.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl Watcher for LocalWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        let print = self.hasher.hash_one(interests);
        let mut state = self.state();
        if state.is_armed(token, print) {
            return Ok(());
        }
        tracing::debug!(token, interests = interests.len(), "watch armed");
        state.arm(token, interests, print, &self.epoll)
    }

    fn collect(&self, report: &mut dyn FnMut(WatchEvent)) {
        let mut state = self.state();
        let mut batch = ChangeBatch::default();
        if self.remounted.swap(false, Ordering::Relaxed) {
            state.process(Source::Mounts, &self.epoll, &mut batch);
        }
        for _ in 0..ROUNDS {
            let mut count = 0;
            for source in self.epoll.ready(Some(Duration::ZERO)) {
                state.process(source, &self.epoll, &mut batch);
                count += 1;
            }
            if count < AT_ONCE {
                break;
            }
        }
        state.report(batch, &self.epoll, report);
    }

    fn wait(&self, span: Option<Duration>) {
        for source in self.epoll.ready(span) {
            match source {
                Source::Nudge => self.epoll.clear_nudge(),
                Source::Mounts => self.remounted.store(true, Ordering::Relaxed),
                _ => {}
            }
        }
    }

    fn nudge(&self) {
        self.epoll.nudge();
    }
}

// The inotify watches.

/// Events of a directory whose content does not matter, only its names.
const NAMES: WatchFlags =
    WatchFlags::CREATE.union(WatchFlags::DELETE).union(WatchFlags::MOVE).union(WatchFlags::EXCL_UNLINK);

/// Events of a directory whose content matters. A file that is written through a mapping is reported only when it is closed.
const CONTENT: WatchFlags = WatchFlags::MODIFY.union(WatchFlags::CLOSE_WRITE).union(WatchFlags::ATTRIB);

impl Paths {
    /// Whether it needs a watch: its children matter, or its directory does not see all of its changes.
    fn wants_watch(&self, id: Id) -> bool {
        self.tree.needs_directory_watch(id) || self.is_shared(id)
    }

    fn is_shared(&self, id: Id) -> bool {
        self.tree.details(id).is_some_and(|details| details.shared)
    }

    /// Watches a mount point or a file with other hard links itself, because its directory does not see all of its changes.
    fn watch_if_shared(&mut self, id: Id) {
        if self.is_shared(id) {
            self.watch_content(id);
            self.catch_up(id, 0);
        }
    }

    /// From now on, watches content and attributes of the entries of the directory `id`.
    fn watch_content(&mut self, id: Id) {
        let details = self.tree.details_mut(id);
        let is_new = !std::mem::replace(&mut details.with_content, true);
        if is_new && details.watch.is_some() {
            self.watch(id);
        }
    }

    /// Watches the current entry instead of the previous one.
    fn watch(&mut self, id: Id) {
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
    fn unwatch(&mut self, id: Id) {
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

// Symbolic links: a path through a link also watches the route to its target. A link that no watched path leads through is
// not followed, because only the link itself matters.

impl Paths {
    /// Watches the route to `target`, the target of the link `id`. Returns whether the route changed.
    ///
    /// Links in a circle keep each other: they are freed with the watcher.
    fn follow(&mut self, id: Id, target: &Path, links: u32) -> bool {
        let give_up = links > MOST_LINKS;
        self.tree.details_mut(id).unresolved = give_up;
        if give_up {
            return self.unfollow(id);
        }
        let route = self.route(id, target, links);
        if self.tree.details(id).is_some_and(|details| details.follows == route) {
            return false;
        }
        self.unfollow(id);
        for hop in &route {
            self.tree.details_mut(*hop).followers.insert(id);
            self.watch_if_shared(*hop);
        }
        self.tree.details_mut(id).follows = route;
        true
    }

    /// The links on the route to `target`, and finally the target itself.
    fn route(&mut self, id: Id, target: &Path, links: u32) -> Vec<Id> {
        let mut route = Vec::new();
        let mut here = if target.is_absolute() { TOP } else { self.tree.parent(id) };
        let mut components = target.components().peekable();
        while let Some(component) = components.next() {
            let end = self.resolve(here, links);
            if end != here {
                route.push(here);
            }
            here = match component {
                Component::Normal(name) => {
                    if components.peek().is_none() {
                        self.watch_content(end);
                    }
                    self.step(end, name, links)
                }
                Component::ParentDir => self.tree.parent(end),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => end,
            };
        }
        self.resolve(here, links);
        route.push(here);
        route
    }

    /// Follows the links that begin at `id`, and watches their routes from now on.
    fn resolve(&mut self, id: Id, links: u32) -> Id {
        if self.tree.set_on_route(id) {
            self.rearm(id, links);
        }
        self.end(id)
    }

    /// The end of the links that begin at `id`; itself if it is not a link.
    fn end(&self, mut id: Id) -> Id {
        for _ in 0..MOST_LINKS {
            match self.tree.details(id).and_then(|details| details.follows.last()) {
                Some(next) => id = *next,
                None => break,
            }
        }
        id
    }

    /// Stops following `id`, which is not a link any more. Returns whether it was one.
    fn unfollow(&mut self, id: Id) -> bool {
        if !self.tree.is_link(id) {
            return false;
        }
        for hop in std::mem::take(&mut self.tree.details_mut(id).follows) {
            self.tree.details_mut(hop).followers.remove(id);
            self.prunable.push(hop);
        }
        true
    }
}
