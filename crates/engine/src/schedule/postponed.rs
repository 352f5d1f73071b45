//! Visits that are repeated because a package may bring what they miss.
//!
//! A file, account or service that no resource declares may come with a package of any name. No edge can express that,
//! because a package may also need what comes before it. So a visit that fails for something missing is repeated once,
//! when the packages are done or nothing else can go on. An edit that would create its file is postponed before it does so: a
//! package does not install its own configuration file where there is one.

use rustc_hash::FxHashSet;

use super::visit::Visit;
use crate::graph::NodeIndex;

/// Visits to be repeated after the packages.
#[derive(Default)]
pub(crate) struct Postponed {
    visits: Vec<Visit>,
    /// Nodes that were postponed; each is at most once.
    known: FxHashSet<NodeIndex>,
    /// Nodes that may bring something, and are not done.
    open: FxHashSet<NodeIndex>,
    /// In a plan, a node that would bring something.
    bringer: Option<NodeIndex>,
}

impl Postponed {
    /// `bringers`: nodes that may bring something.
    pub(crate) fn new(bringers: impl Iterator<Item = NodeIndex>) -> Self {
        Self { open: bringers.collect(), ..Self::default() }
    }

    /// Whether a visit can be repeated later. Not if it may itself bring something, and only once.
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

    /// A node is done: the visits to be repeated, if it was the last that may bring something.
    pub(crate) fn done(&mut self, node: NodeIndex, unpredicted: bool) -> Vec<Visit> {
        if !self.open.remove(&node) {
            return Vec::new();
        }
        if unpredicted {
            self.bringer.get_or_insert(node);
        }
        if self.open.is_empty() { self.take() } else { Vec::new() }
    }

    /// A node that may bring what is missing, and would change.
    pub(crate) fn bringer(&self) -> Option<NodeIndex> {
        self.bringer
    }
}
