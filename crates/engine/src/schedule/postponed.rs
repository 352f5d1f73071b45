//! Visits that are repeated because a package may install what they miss.
//!
//! A file, account or service that no resource declares may come with a package of any name. No edge can express that,
//! because a package may also depend on earlier resources. So a visit that fails for something missing is repeated once, when
//! the packages are done or nothing else can go on. An edit that would create its file is postponed before it does so: a
//! package does not install its own configuration file where one exists.

use rustc_hash::FxHashSet;

use super::visit::Visit;
use crate::graph::NodeIndex;

/// Visits to be repeated after the packages.
#[derive(Default)]
pub(crate) struct Postponed {
    visits: Vec<Visit>,
    /// Nodes that were postponed; each is at most once.
    known: FxHashSet<NodeIndex>,
    /// Nodes that may install something, and are not done.
    open: FxHashSet<NodeIndex>,
    /// In a plan, a node that would install something.
    installer: Option<NodeIndex>,
}

impl Postponed {
    /// `installers`: nodes that may install something.
    pub(crate) fn new(installers: impl Iterator<Item = NodeIndex>) -> Self {
        Self { open: installers.collect(), ..Self::default() }
    }

    /// Whether a visit can be repeated later: only once, and not if it may itself install something.
    pub(crate) fn can_wait(&self, visit: Visit) -> bool {
        !visit.is_notified()
            && !self.open.is_empty()
            && !self.open.contains(&visit.node)
            && !self.known.contains(&visit.node)
    }

    /// Repeats a visit later: the visits to be repeated now, if the packages are done meanwhile.
    pub(crate) fn postpone(&mut self, visit: Visit) -> Vec<Visit> {
        self.known.insert(visit.node);
        self.visits.push(visit.again());
        if self.open.is_empty() { self.take() } else { Vec::new() }
    }

    /// The visits to be repeated now.
    pub(crate) fn take(&mut self) -> Vec<Visit> {
        std::mem::take(&mut self.visits)
    }

    /// A node is done: the visits to be repeated, if it was the last that may install something.
    pub(crate) fn done(&mut self, node: NodeIndex, unpredicted: bool) -> Vec<Visit> {
        if !self.open.remove(&node) {
            return Vec::new();
        }
        if unpredicted {
            self.installer.get_or_insert(node);
        }
        if self.open.is_empty() { self.take() } else { Vec::new() }
    }

    /// In a plan, a package that would be installed, with any file or account that is missing.
    pub(crate) fn installer(&self) -> Option<NodeIndex> {
        self.installer
    }
}
