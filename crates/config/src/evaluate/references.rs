//! The resources that an evaluation has read so far.

use rustc_hash::FxHashSet;
use uphold_model::{Name, Place, Reference, ResourceId};

/// The length below which duplicates are kept.
const FEW: usize = 64;

/// The resources that were read, in the order of their first use. Repeated reads take no additional memory.
#[derive(Debug)]
pub(crate) struct References {
    list: Vec<Reference>,
    /// The length at which duplicates are removed next.
    full: usize,
}

impl Default for References {
    fn default() -> Self {
        Self { list: Vec::new(), full: FEW }
    }
}

impl References {
    pub(crate) fn push(&mut self, reference: Reference) {
        if self.list.is_empty() {
            // Mostly there is only one: no spare capacity.
            self.list.reserve_exact(1);
        }
        self.list.push(reference);
        self.tidy();
    }

    pub(crate) fn extend(&mut self, references: &[Reference]) {
        self.list.extend_from_slice(references);
        self.tidy();
    }

    /// The place of the last reference to a resource.
    pub(super) fn place_of_last(&self, target: &ResourceId) -> Option<Place> {
        self.list.iter().rev().find(|reference| reference.target == *target)?.place
    }

    pub(crate) fn into_list(self) -> Vec<Reference> {
        self.list
    }

    /// Called whenever the list has doubled, so that the total time is linear.
    fn tidy(&mut self) {
        if self.list.len() >= self.full {
            without_repeats(&mut self.list);
            self.full = FEW.max(2 * self.list.len());
        }
    }
}

/// Keeps the first reference to each field.
pub(super) fn without_repeats(list: &mut Vec<Reference>) {
    if list.len() < 2 {
        return;
    }
    let mut seen: FxHashSet<(&ResourceId, &[Name])> = FxHashSet::default();
    let new: Vec<bool> = list.iter().map(|one| seen.insert((&one.target, &one.path))).collect();
    let mut new = new.into_iter();
    list.retain(|_| new.next().unwrap_or(false));
}
