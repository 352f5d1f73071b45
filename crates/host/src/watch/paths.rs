//! Watching paths, through one inotify.
//!
//! Directories are watched, never files: that is how a path is seen that is not there yet, is replaced by another, or
//! is moved away together with the directory it is in.

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use rustix::fs::inotify::{self, CreateFlags};
use rustix::io::Errno;
use uphold_resource::{Error, Result, Token};

use super::numbers::Numbers;
use super::reports::reports;
use super::tidings::Tidings;
use super::unfinished::Unfinished;
use super::waypoint::{Id, TOP};
use super::waypoints::Waypoints;
use crate::root::Root;

/// So much is read at once: some hundred reports.
const BUFFER: usize = 32 * 1024;

/// What of a path matters. Only the first does not follow a link at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// The path itself.
    Path,
    /// And the names in it.
    Entries,
    /// And everything below it.
    Tree,
}

/// What is held for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hold {
    /// Where.
    pub(super) at: Id,
    /// What of it.
    pub(super) extent: Extent,
}

/// Everything that is watched by its path.
pub(super) struct Paths {
    pub(super) root: Root,
    pub(super) inotify: OwnedFd,
    pub(super) points: Waypoints,
    /// Which waypoints a watch is for: several if links or mounts lead to one directory.
    pub(super) watched: HashMap<i32, Numbers>,
    /// Where another thing may be by now.
    pub(super) upset: HashSet<Id>,
    /// What may have become needless.
    pub(super) loose: Vec<Id>,
    /// What is being looked at.
    pub(super) busy: HashSet<Id>,
    /// What has to be looked at because its directory is watched only now.
    pub(super) stale: Vec<Id>,
    /// What should be watched and cannot be.
    pub(super) blind: HashSet<Id>,
    /// What of that nobody was told yet.
    pub(super) trouble: Vec<(Id, Errno)>,
    /// What was written and will be told when that is finished.
    pub(super) unfinished: Unfinished,
    buffer: Vec<u8>,
}

impl Paths {
    /// Watches nothing yet.
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
            points: Waypoints::default(),
            watched: HashMap::new(),
            upset: HashSet::new(),
            loose: Vec::new(),
            busy: HashSet::new(),
            stale: Vec::new(),
            blind: HashSet::new(),
            trouble: Vec::new(),
            unfinished: Unfinished::default(),
            buffer: vec![0; BUFFER],
        })
    }

    /// Watches `path` for `token`. Directories that cannot be watched are left in `trouble`.
    pub(super) fn hold(&mut self, token: Token, extent: Extent, path: &Path) -> Hold {
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
                        self.watch_closely(here);
                    }
                    self.step(here, name, 0)
                }
                Component::ParentDir => {
                    let real = self.pass(here, 0);
                    self.points.above(real)
                }
                Component::RootDir | Component::CurDir | Component::Prefix(_) => here,
            };
        }
        self.register(token, extent, here);
        if !self.blind.is_empty() {
            self.try_again(here);
        }
        self.catch_up_below();
        Hold { at: here, extent }
    }

    fn register(&mut self, token: Token, extent: Extent, id: Id) {
        match extent {
            Extent::Path if id == TOP => {
                // Nothing is above it that could tell.
                self.points.at_mut(id).hold(token);
                self.watch_closely(id);
                self.catch_up(id, 0);
            }
            Extent::Path => {
                self.points.at_mut(id).hold(token);
                self.watch_if_shared(id);
            }
            Extent::Entries => {
                self.points.inside_mut(id).entries.insert(token);
                self.watch_closely(id);
                self.catch_up(id, 0);
            }
            Extent::Tree => {
                let trees = &mut self.points.inside_mut(id).trees;
                let is_first = trees.is_empty();
                trees.insert(token);
                self.watch_closely(id);
                // What somebody else watches is in line already, unless watches were missing.
                if is_first || !self.blind.is_empty() {
                    self.refresh(id);
                }
            }
        }
    }

    /// Watches for `token` no more. Call [`prune`](Self::prune) when done.
    pub(super) fn release(&mut self, token: Token, hold: Hold) {
        match hold.extent {
            Extent::Path => self.points.at_mut(hold.at).release(token),
            Extent::Entries => self.points.inside_mut(hold.at).entries.remove(token),
            Extent::Tree => {
                self.points.inside_mut(hold.at).trees.remove(token);
                self.ungrow(hold.at);
            }
        }
        self.loose.push(hold.at);
    }

    /// Removes what nobody needs any more, and its watches.
    pub(super) fn prune(&mut self) {
        while let Some(id) = self.loose.pop() {
            if !self.points.is_there(id) {
                continue;
            }
            if self.points.is_needed(id) {
                self.let_go(id);
                continue;
            }
            self.unfollow(id);
            self.unwatch(id);
            let above = self.points.remove(id);
            self.loose.push(above);
        }
    }

    /// Watches no more than what is still needed of it.
    fn let_go(&mut self, id: Id) {
        if !self.wants_watch(id) {
            self.unwatch(id);
        }
        self.points.clear_passed(id);
        if !self.points.leads_on(id) {
            self.unfollow(id);
        }
    }

    /// Takes in everything that was reported up to now; what comes meanwhile may be left for the next time.
    pub(super) fn drain(&mut self, tidings: &mut Tidings) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut left = rustix::io::ioctl_fionread(&self.inotify).unwrap_or(0);
        while left > 0 {
            match rustix::io::read(&self.inotify, buffer.as_mut_slice()) {
                Ok(0) => break,
                Ok(length) => {
                    left = left.saturating_sub(length as u64);
                    reports(&buffer[..length]).for_each(|report| self.take_in(&report, tidings));
                }
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        self.buffer = buffer;
        self.finish(tidings);
    }

    /// The first thing that could not be watched, in words. Forgets all of them.
    pub(super) fn take_trouble(&mut self) -> Option<Error> {
        let trouble = std::mem::take(&mut self.trouble);
        trouble.first().map(|(id, errno)| unwatchable(&self.points.path(*id), *errno))
    }
}

/// Why a directory cannot be watched, and what to do.
pub(super) fn unwatchable(path: &Path, errno: Errno) -> Error {
    match errno {
        Errno::NOSPC | Errno::NOMEM | Errno::MFILE => {
            Error::failed(format!("cannot watch {}: no watches are left", path.display()))
                .hint("raise fs.inotify.max_user_watches with sysctl")
        }
        errno => Error::io("watch", path, errno.into()),
    }
}
