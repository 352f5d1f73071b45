//! The action list: `(resource, action)` pairs in order, repeats allowed.

use std::num::NonZeroU32;

use uphold_model::{Action, ActionGroup, Order, Place, Reference, Term};

use crate::set::ResourceIndex;

/// What is done, in written order. A resource that is not in it is left alone.
#[derive(Debug, Default)]
pub struct ActionList {
    entries: Vec<ActionEntry>,
    /// Every group that was begun. An outer one comes before those in it.
    groups: Vec<Group>,
    /// The group that entries are put into now.
    open: Option<GroupIndex>,
}

/// One action on one resource.
#[derive(Clone, Debug)]
pub struct ActionEntry {
    /// The resource.
    pub resource: ResourceIndex,
    /// The group that it stands in.
    pub(crate) group: Option<GroupIndex>,
    /// What is done with it.
    pub action: Action,
    /// Where that was written.
    pub place: Option<Place>,
    /// What comes before, besides what the resource stands on.
    pub depends_on: Vec<Reference>,
    /// Whether it is done at all, if only the run can tell. Few have this, so it lies elsewhere.
    pub when: Option<Box<Term>>,
}

/// Number of a group: its place among them, from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupIndex(NonZeroU32);

/// Actions that stand together, perhaps inside another group.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) parent: Option<GroupIndex>,
    pub(crate) order: Order,
    pub(crate) place: Option<Place>,
    /// How many groups are around it.
    depth: u32,
}

impl Group {
    pub(crate) fn depth(&self) -> usize {
        self.depth as usize
    }
}

impl ActionEntry {
    /// An action without further conditions, written nowhere, in no group.
    pub fn new(resource: ResourceIndex, action: Action) -> Self {
        Self { resource, group: None, action, place: None, depends_on: Vec::new(), when: None }
    }
}

impl ActionList {
    /// Puts an action at the end, into the innermost group that is open.
    pub fn trigger(&mut self, entry: ActionEntry) {
        self.entries.push(ActionEntry { group: self.open, ..entry });
    }

    /// Begins a group: what is triggered until its end belongs to it.
    pub fn begin(&mut self, group: &ActionGroup) {
        let depth = self.open.map_or(0, |parent| self.group(parent).depth + 1);
        self.groups.push(Group { parent: self.open, order: group.order, place: group.place, depth });
        let number = u32::try_from(self.groups.len()).ok().and_then(NonZeroU32::new);
        self.open = Some(GroupIndex(number.expect("fewer than 2^32 groups")));
    }

    /// Ends the innermost group; false if there is none.
    pub fn end(&mut self) -> bool {
        let Some(open) = self.open else { return false };
        self.open = self.group(open).parent;
        true
    }

    /// Where the innermost group that is still open was begun.
    pub(crate) fn open(&self) -> Option<&Group> {
        self.open.map(|open| self.group(open))
    }

    /// The group with this number.
    pub(crate) fn group(&self, index: GroupIndex) -> &Group {
        &self.groups[index.0.get() as usize - 1]
    }

    /// Whether there are groups at all.
    pub(crate) fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether a sequence puts the entry `first` before the entry `second`: the innermost group
    /// around both is one. Costs a walk up the groups around them.
    pub(crate) fn is_sequenced(&self, first: usize, second: usize) -> bool {
        let (Some(mut a), Some(mut b)) = (self.entries[first].group, self.entries[second].group) else {
            return false;
        };
        while a != b {
            let (left, right) = (self.group(a), self.group(b));
            let up = if left.depth >= right.depth { left.parent } else { right.parent };
            let Some(parent) = up else { return false };
            if left.depth >= right.depth { a = parent } else { b = parent }
        }
        first < second && self.group(a).order == Order::Sequence
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
