//! References: which resources an evaluation has read so far.

use rustc_hash::FxHashSet;
use uphold_model::{Name, Reference, ResourceId};

/// So many are kept as they come; beyond, those that are there twice are taken out now and then.
const FEW: usize = 64;

/// Resources that were read, in the order of first reading. Reading one again and again costs no memory.
#[derive(Debug)]
pub(crate) struct References {
    list: Vec<Reference>,
    /// From this length on it is worth looking for those that are there twice.
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
            // Mostly there is only one, and it is kept.
            self.list.reserve_exact(1);
        }
        self.list.push(reference);
        self.tidy();
    }

    pub(crate) fn extend(&mut self, references: &[Reference]) {
        self.list.extend_from_slice(references);
        self.tidy();
    }

    pub(crate) fn into_list(self) -> Vec<Reference> {
        self.list
    }

    /// Done whenever the list has doubled, so that the whole stays linear.
    fn tidy(&mut self) {
        if self.list.len() >= self.full {
            without_repeats(&mut self.list);
            self.full = FEW.max(2 * self.list.len());
        }
    }
}

/// Leaves the first of those that name the same field.
pub(super) fn without_repeats(list: &mut Vec<Reference>) {
    if list.len() < 2 {
        return;
    }
    let mut seen: FxHashSet<(&ResourceId, &[Name])> = FxHashSet::default();
    let new: Vec<bool> = list.iter().map(|one| seen.insert((&one.target, &one.path))).collect();
    let mut new = new.into_iter();
    list.retain(|_| new.next().unwrap_or(false));
}
