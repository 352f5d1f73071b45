//! What is mounted over what is watched. inotify does not tell of that.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::AsRawFd;
use std::path::{Component, Path, PathBuf};

use super::gate::{Gate, Source};
use super::paths::Paths;
use super::waypoint::{Id, TOP};
use crate::mounts::mount_point;
use crate::root::Root;

/// The table of mounts as it was last read.
pub(super) struct Mounts {
    /// None without `/proc`: then mounts go unseen.
    table: Option<File>,
    lines: HashSet<Vec<u8>>,
}

impl Mounts {
    /// Reads the table, and has the gate tell when it is another.
    pub(super) fn new(gate: &Gate) -> Self {
        let table = File::open("/proc/self/mountinfo").ok();
        let table = table.filter(|table| gate.add(table, Source::Mounts).is_ok());
        let mut mounts = Self { table, lines: HashSet::new() };
        mounts.read();
        mounts
    }

    /// Where something was mounted or unmounted since the last time.
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
    /// Something was mounted or unmounted at `point`, a path of the whole machine. Call [`finish`](Self::finish) then.
    pub(super) fn remounted(&mut self, point: &Path) {
        let Some(point) = inside(&self.root, point) else { return };
        let mut here = self.with_links([TOP].into());
        for component in point.components() {
            let Component::Normal(name) = component else { continue };
            here = self.with_links(here.iter().filter_map(|id| self.points.child(*id, name)).collect());
        }
        self.upset.extend(here);
    }

    /// These, and the links that lead there: other ways to the same place.
    fn with_links(&self, places: HashSet<Id>) -> HashSet<Id> {
        let mut stack: Vec<Id> = places.iter().copied().collect();
        let mut found = places;
        while let Some(id) = stack.pop() {
            stack.extend(self.points.followers(id).filter(|link| found.insert(*link)));
        }
        found
    }
}

/// The path as it is seen from the root; none if it is elsewhere.
fn inside(root: &Root, point: &Path) -> Option<PathBuf> {
    let Some(under) = root.under() else { return Some(point.to_owned()) };
    let real = std::fs::read_link(format!("/proc/self/fd/{}", under.directory.as_raw_fd())).ok()?;
    point.strip_prefix(real).ok().map(Path::to_owned)
}
