//! Watches on paths, through one inotify instance.
//!
//! Directories are watched, never files: that detects a path that does not exist yet, is replaced, or is moved away together
//! with its directory.

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use rustix::fs::inotify::{self, CreateFlags};
use rustix::io::Errno;
use uphold_resource::{Error, Result, Token};

use super::change_batch::{ChangeBatch, reports};
use super::open_writes::OpenWrites;
use super::small_set::SmallSet;
use super::watch_node::{Id, TOP};
use super::watch_tree::WatchTree;
use crate::io_error::io_error;
use crate::root::Root;

/// Bytes that are read at once: some hundred reports.
const BUFFER: usize = 32 * 1024;

/// The part of a path that matters. Only `Path` does not follow a link at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// The path itself.
    Path,
    /// The path and the names in it.
    Entries,
    /// The path and everything below it.
    Tree,
}

/// An interest of a token in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PathInterest {
    /// The node of the path.
    pub(super) at: Id,
    /// The part that matters.
    pub(super) extent: Extent,
}

/// All watched paths.
pub(super) struct Paths {
    pub(super) root: Root,
    pub(super) inotify: OwnedFd,
    pub(super) tree: WatchTree,
    /// The nodes of each watch: several if links or mounts lead to one directory.
    pub(super) watched: HashMap<i32, SmallSet>,
    /// Nodes at which another entry may be by now.
    pub(super) replaced: HashSet<Id>,
    /// Nodes that may not be needed any more.
    pub(super) prunable: Vec<Id>,
    /// Nodes that are being rearmed.
    pub(super) in_progress: HashSet<Id>,
    /// Nodes that must be refreshed because their directory is watched only now.
    pub(super) unrefreshed: Vec<Id>,
    /// Nodes that should be watched, but cannot be.
    pub(super) blind: HashSet<Id>,
    /// Those of them that were not reported yet.
    pub(super) failures: Vec<(Id, Errno)>,
    /// Writes that are reported when the file is closed.
    pub(super) open_writes: OpenWrites,
    buffer: Vec<u8>,
}

impl Paths {
    /// Paths without watches.
    ///
    /// # Errors
    /// If the user has too many inotify instances.
    pub(super) fn new(root: Root) -> Result<Self> {
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).map_err(|errno| {
            Error::failed("cannot watch files")
                .because(errno)
                .hint("raise fs.inotify.max_user_instances with sysctl, or the limit of open files")
        })?;
        Ok(Self {
            root,
            inotify,
            tree: WatchTree::default(),
            watched: HashMap::new(),
            replaced: HashSet::new(),
            prunable: Vec::new(),
            in_progress: HashSet::new(),
            unrefreshed: Vec::new(),
            blind: HashSet::new(),
            failures: Vec::new(),
            open_writes: OpenWrites::default(),
            buffer: vec![0; BUFFER],
        })
    }

    /// Watches `path` for `token`. Directories that cannot be watched are recorded in `failures`.
    pub(super) fn add(&mut self, token: Token, extent: Extent, path: &Path) -> PathInterest {
        let absolute = match self.root.under() {
            None => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            Some(_) => path.to_owned(),
        };
        let mut names = absolute.components().peekable();
        let mut here = TOP;
        while let Some(component) = names.next() {
            here = match component {
                Component::Normal(name) => {
                    if extent == Extent::Path && names.peek().is_none() {
                        self.watch_content(here);
                    }
                    self.step(here, name, 0)
                }
                Component::ParentDir => {
                    let end = self.resolve(here, 0);
                    self.tree.parent(end)
                }
                Component::RootDir | Component::CurDir | Component::Prefix(_) => here,
            };
        }
        self.register(token, extent, here);
        if !self.blind.is_empty() {
            self.try_again(here);
        }
        self.catch_up_below();
        PathInterest { at: here, extent }
    }

    fn register(&mut self, token: Token, extent: Extent, id: Id) {
        match extent {
            Extent::Path if id == TOP => {
                // The root has no parent whose watch would report it.
                self.tree.at_mut(id).add_token(token);
                self.watch_content(id);
                self.catch_up(id, 0);
            }
            Extent::Path => {
                self.tree.at_mut(id).add_token(token);
                self.watch_if_shared(id);
            }
            Extent::Entries => {
                self.tree.details_mut(id).entries.insert(token);
                self.watch_content(id);
                self.catch_up(id, 0);
            }
            Extent::Tree => {
                let trees = &mut self.tree.details_mut(id).trees;
                let is_first = trees.is_empty();
                trees.insert(token);
                self.watch_content(id);
                // A tree that another token watches is up to date, unless watches failed.
                if is_first || !self.blind.is_empty() {
                    self.refresh(id);
                }
            }
        }
    }

    /// Stops watching for `token`. Call [`prune`](Self::prune) afterwards.
    pub(super) fn remove(&mut self, token: Token, path: PathInterest) {
        match path.extent {
            Extent::Path => self.tree.at_mut(path.at).remove_token(token),
            Extent::Entries => self.tree.details_mut(path.at).entries.remove(token),
            Extent::Tree => {
                self.tree.details_mut(path.at).trees.remove(token);
                self.remove_subdirectories(path.at);
            }
        }
        self.prunable.push(path.at);
    }

    /// Removes nodes that are not needed any more, and their watches.
    pub(super) fn prune(&mut self) {
        while let Some(id) = self.prunable.pop() {
            if !self.tree.exists(id) {
                continue;
            }
            if self.tree.is_needed(id) {
                self.reduce(id);
                continue;
            }
            self.unfollow(id);
            self.unwatch(id);
            let parent = self.tree.remove(id);
            self.prunable.push(parent);
        }
    }

    /// Removes the watch and the route of a node, if they are not needed.
    fn reduce(&mut self, id: Id) {
        if !self.wants_watch(id) {
            self.unwatch(id);
        }
        self.tree.clear_on_route(id);
        if !self.tree.must_follow(id) {
            self.unfollow(id);
        }
    }

    /// Processes all reports up to now; reports that arrive meanwhile may be left for the next time.
    pub(super) fn drain(&mut self, batch: &mut ChangeBatch) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut left = rustix::io::ioctl_fionread(&self.inotify).unwrap_or(0);
        while left > 0 {
            match rustix::io::read(&self.inotify, buffer.as_mut_slice()) {
                Ok(0) => break,
                Ok(length) => {
                    left = left.saturating_sub(length as u64);
                    reports(&buffer[..length]).for_each(|report| self.process(&report, batch));
                }
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        self.buffer = buffer;
        self.finish(batch);
    }

    /// The error of the first node that could not be watched. Clears all of them.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        let failures = std::mem::take(&mut self.failures);
        failures.first().map(|(id, errno)| unwatchable(&self.tree.path(*id), *errno))
    }
}

/// The error for a directory that cannot be watched.
pub(super) fn unwatchable(path: &Path, errno: Errno) -> Error {
    match errno {
        Errno::NOSPC | Errno::NOMEM | Errno::MFILE => {
            Error::failed(format!("cannot watch {}: no watches are left", path.display()))
                .hint("raise fs.inotify.max_user_watches with sysctl")
        }
        errno => io_error("watch", path, errno.into()),
    }
}
