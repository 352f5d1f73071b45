//! The action list: `(resource, action)` pairs in order, repeats allowed.

use uphold_model::{Action, Place, Reference};

use crate::set::ResourceIndex;

/// What is done, in written order. A resource that is not in it is left alone.
#[derive(Debug, Default)]
pub struct ActionList {
    entries: Vec<ActionEntry>,
}

/// One action on one resource.
#[derive(Clone, Debug)]
pub struct ActionEntry {
    /// The resource.
    pub resource: ResourceIndex,
    /// What is done with it.
    pub action: Action,
    /// Where that was written.
    pub place: Option<Place>,
    /// What comes before, besides what the resource stands on.
    pub depends_on: Vec<Reference>,
}

impl ActionList {
    /// Puts an action at the end.
    pub fn trigger(&mut self, entry: ActionEntry) {
        self.entries.push(entry);
    }

    /// Takes out every action on a resource.
    pub fn delete(&mut self, resource: ResourceIndex) {
        self.entries.retain(|entry| entry.resource != resource);
    }

    /// All actions, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ActionEntry> {
        self.entries.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The action at this place of the list.
    pub fn get(&self, index: usize) -> &ActionEntry {
        &self.entries[index]
    }
}
