//! Mounts over watched paths, which inotify does not report.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::AsRawFd;
use std::path::{Component, Path, PathBuf};

use super::epoll::{Epoll, Source};
use super::paths::Paths;
use super::watch_node::{Id, TOP};
use crate::mounts::mount_point;
use crate::root::Root;

/// The mount table as of its last reading.
pub(super) struct Mounts {
    /// `None` without `/proc`: then mounts are not detected.
    table: Option<File>,
    lines: HashSet<Vec<u8>>,
}

impl Mounts {
    /// Reads the table, and adds it to the epoll.
    pub(super) fn new(epoll: &Epoll) -> Self {
        let table = File::open("/proc/self/mountinfo").ok();
        let table = table.filter(|table| epoll.add(table, Source::Mounts).is_ok());
        let mut mounts = Self { table, lines: HashSet::new() };
        mounts.read();
        mounts
    }

    /// The mount points that changed since the last reading.
    pub(super) fn changed(&mut self) -> Vec<PathBuf> {
        let before = std::mem::take(&mut self.lines);
        self.read();
        let differing: HashSet<&Vec<u8>> = before.symmetric_difference(&self.lines).collect();
        differing.into_iter().filter_map(|line| mount_point(line)).collect()
    }

    fn read(&mut self) {
        let mut text = Vec::new();
        let read = |table: &mut File| table.rewind().and_then(|()| table.read_to_end(&mut text));
        if self.table.as_mut().map(read).is_some_and(|read| read.is_ok()) {
            self.lines = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        }
    }
}

impl Paths {
    /// Records a mount or unmount at `point`, a path of the whole machine. Call [`finish`](Self::finish) afterwards.
    pub(super) fn remounted(&mut self, point: &Path) {
        let Some(point) = path_in_root(&self.root, point) else { return };
        let mut here = self.with_links([TOP].into());
        for component in point.components() {
            let Component::Normal(name) = component else { continue };
            here = self.with_links(here.iter().filter_map(|id| self.tree.child(*id, name)).collect());
        }
        self.replaced.extend(here);
    }

    /// These nodes, and the links that lead to them: other paths of the same directory.
    fn with_links(&self, places: HashSet<Id>) -> HashSet<Id> {
        let mut stack: Vec<Id> = places.iter().copied().collect();
        let mut found = places;
        while let Some(id) = stack.pop() {
            stack.extend(self.tree.followers(id).filter(|link| found.insert(*link)));
        }
        found
    }
}

/// The path as seen from the root; `None` if it is outside.
fn path_in_root(root: &Root, point: &Path) -> Option<PathBuf> {
    let Some(under) = root.under() else { return Some(point.to_owned()) };
    let end = std::fs::read_link(format!("/proc/self/fd/{}", under.directory.as_raw_fd())).ok()?;
    point.strip_prefix(end).ok().map(Path::to_owned)
}
