//! The key of a visit: which node, why, and how far it has come.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::NodeIndex;
use crate::notifications::RunId;
use crate::program::Program;

/// One visit that is due or under way. Small and `Copy`, so that every queue can hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Visit {
    pub(crate) node: NodeIndex,
    pub(crate) cause: VisitCause,
    pub(crate) stage: Stage,
}

/// Why a node is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum VisitCause {
    /// It is in the action list.
    Written,
    /// A watch has visited it before, and something may have changed since.
    Woken,
    /// A notification asked for it.
    Notified(RunId),
}

/// How far a visit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Stage {
    /// It has not begun.
    First,
    /// It began, and goes on: after a wait, a failure, or in a batch.
    Again,
    /// It began, and its `before` notifications have been delivered.
    Announced,
}

impl Visit {
    /// The first visit of a written action.
    pub(crate) fn written(node: NodeIndex) -> Self {
        Self { node, cause: VisitCause::Written, stage: Stage::First }
    }

    /// A visit of a node that a watch has visited before.
    pub(crate) fn woken(node: NodeIndex) -> Self {
        Self { node, cause: VisitCause::Woken, stage: Stage::First }
    }

    /// A visit that a notification asked for.
    pub(crate) fn notified(node: NodeIndex, run: RunId) -> Self {
        Self { node, cause: VisitCause::Notified(run), stage: Stage::First }
    }

    /// The same visit, continued.
    #[must_use]
    pub(crate) fn again(self) -> Self {
        Self { stage: self.stage.max(Stage::Again), ..self }
    }

    /// The same visit, with its `before` notifications delivered.
    #[must_use]
    pub(crate) fn announced(self) -> Self {
        Self { stage: Stage::Announced, ..self }
    }

    /// The same visit from its beginning.
    #[must_use]
    pub(crate) fn restarted(self) -> Self {
        Self { stage: Stage::First, ..self }
    }

    /// The notification that asked for it.
    pub(crate) fn run(self) -> Option<RunId> {
        match self.cause {
            VisitCause::Notified(run) => Some(run),
            VisitCause::Written | VisitCause::Woken => None,
        }
    }

    pub(crate) fn is_written(self) -> bool {
        self.cause == VisitCause::Written
    }

    pub(crate) fn is_woken(self) -> bool {
        self.cause == VisitCause::Woken
    }

    pub(crate) fn is_notified(self) -> bool {
        matches!(self.cause, VisitCause::Notified(_))
    }

    pub(crate) fn is_first(self) -> bool {
        self.stage == Stage::First
    }

    pub(crate) fn is_announced(self) -> bool {
        self.stage == Stage::Announced
    }

    /// Whether others wait for it to go on: a notified action, or one whose `before` notifications have been delivered.
    pub(crate) fn is_user_request(self) -> bool {
        self.is_notified() || self.is_announced()
    }
}

// Visits that are repeated because another resource may bring what they miss.
//
// A file, account or service that no resource declares may come with a package of any name, and the action of a kind file
// reads and writes paths that it does not claim. No edge can express that, because the other resource may also depend on
// earlier ones. So a visit that fails for something missing is repeated once, when nothing else can go on: then its result
// does not depend on which of two visits happens to be first. An edit that would create its file is postponed before it
// does so: a package does not install its own configuration file where one exists.

/// Visits to be repeated when nothing else can go on.
#[derive(Default)]
pub(crate) struct Postponed {
    /// Whether resources may write paths that they do not claim.
    unclaimed: bool,
    visits: Vec<Visit>,
    /// Nodes that were postponed; each is at most once.
    known: FxHashSet<NodeIndex>,
    /// Nodes that may install something, and are not done.
    open: FxHashSet<NodeIndex>,
    /// In a plan, a node that would install something.
    installer: Option<NodeIndex>,
}

impl Postponed {
    /// `installers`: nodes that may install something. `unclaimed`: whether resources may write paths that they do not
    /// claim.
    pub(crate) fn new(installers: impl Iterator<Item = NodeIndex>, unclaimed: bool) -> Self {
        Self { unclaimed, open: installers.collect(), ..Self::default() }
    }

    /// Whether a visit that misses something can be repeated.
    pub(crate) fn can_repeat(&self, visit: Visit) -> bool {
        (self.unclaimed || !self.open.is_empty()) && self.can_be_later(visit)
    }

    /// Whether a visit can wait for the packages.
    pub(crate) fn can_wait(&self, visit: Visit) -> bool {
        !self.open.is_empty() && self.can_be_later(visit)
    }

    /// Only once, and not if it may itself install something.
    fn can_be_later(&self, visit: Visit) -> bool {
        !visit.is_notified() && !self.open.contains(&visit.node) && !self.known.contains(&visit.node)
    }

    /// Repeats a visit later.
    pub(crate) fn postpone(&mut self, visit: Visit) {
        self.known.insert(visit.node);
        self.visits.push(visit.again());
    }

    /// The visits to be repeated now.
    pub(crate) fn take(&mut self) -> Vec<Visit> {
        std::mem::take(&mut self.visits)
    }

    /// A node is done, which may be one that installs something.
    pub(crate) fn done(&mut self, node: NodeIndex, unpredicted: bool) {
        if self.open.remove(&node) && unpredicted {
            self.installer.get_or_insert(node);
        }
    }

    /// In a plan, a package that would be installed, with any file or account that is missing.
    pub(crate) fn installer(&self) -> Option<NodeIndex> {
        self.installer
    }
}

// Visits that wait to be applied in one batch with others of their kind.

/// Number of a kind that applies changes in batches.
pub(crate) type BatchKind = u16;

/// Prepared visits, kind by kind. A batch is complete when no other resource of its kind is loading.
#[derive(Default)]
pub(crate) struct Batches {
    /// The kinds of nodes that are applied in batches; other nodes are missing.
    of_nodes: FxHashMap<NodeIndex, BatchKind>,
    numbers: FxHashMap<&'static str, BatchKind>,
    kinds: Vec<Batch>,
    /// How many visits wait in all batches.
    prepared: usize,
}

#[derive(Clone, Default)]
struct Batch {
    prepared: Vec<Visit>,
    /// How many visits of this kind are under way.
    loading: usize,
}

impl Batches {
    /// The nodes of kinds that apply changes in batches.
    pub(crate) fn of(program: &Program) -> Self {
        let kinds = program.registry.iter().filter(|kind| kind.batches()).map(|kind| kind.schema().kind);
        let numbers: FxHashMap<&'static str, BatchKind> = kinds.zip(0..).collect();
        let mut batches = Self { kinds: vec![Batch::default(); numbers.len()], numbers, ..Self::default() };
        if !batches.numbers.is_empty() {
            for (node, entry) in (0..).zip(program.list.all()) {
                batches.add(node, &program.set.id(entry.resource).kind);
            }
        }
        batches
    }

    /// Adds a node of a kind, which may apply changes in batches.
    pub(crate) fn add(&mut self, node: NodeIndex, kind: &str) {
        if let Some(number) = self.numbers.get(kind) {
            self.of_nodes.insert(node, *number);
        }
    }

    pub(crate) fn begin(&mut self, node: NodeIndex) {
        if let Some(kind) = self.of_nodes.get(&node) {
            self.kinds[usize::from(*kind)].loading += 1;
        }
    }

    /// A visit is over, or prepared.
    pub(crate) fn end(&mut self, node: NodeIndex) {
        if let Some(kind) = self.of_nodes.get(&node) {
            self.kinds[usize::from(*kind)].loading -= 1;
        }
    }

    /// Keeps a prepared visit until its batch is complete.
    pub(crate) fn push(&mut self, visit: Visit) {
        let kind = self.of_nodes[&visit.node];
        self.kinds[usize::from(kind)].prepared.push(visit);
        self.prepared += 1;
    }

    /// A complete batch, in written order: the order in which loads ended is random, and numbers that are handed out
    /// one after the other should not be.
    pub(crate) fn pop(&mut self) -> Option<Vec<Visit>> {
        if self.prepared == 0 {
            return None;
        }
        let batch = self.kinds.iter_mut().find(|batch| !batch.prepared.is_empty() && batch.loading == 0)?;
        let mut visits = std::mem::take(&mut batch.prepared);
        visits.sort_by_key(|visit| visit.node);
        self.prepared -= visits.len();
        Some(visits)
    }
}
