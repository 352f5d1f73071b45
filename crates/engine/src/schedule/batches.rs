//! Visits that wait to be applied in one batch with others of their kind.

use rustc_hash::FxHashMap;

use super::visit::Visit;
use crate::graph::NodeIndex;
use crate::program::Program;

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
