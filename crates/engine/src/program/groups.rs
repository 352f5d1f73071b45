//! Groups of actions, as a tree. The run itself is the root, which has no number.

use std::num::{NonZeroU32, NonZeroUsize};

use uphold_model::{ActionGroup, Guard, Handling, Name, Order, Place};

/// Number of a group, from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GroupIndex(NonZeroU32);

impl GroupIndex {
    /// The group that is begun after `before` others.
    pub(crate) fn after(before: usize) -> Self {
        let number = u32::try_from(before + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer than 2^32 groups"))
    }

    /// Its index, from zero.
    pub(crate) fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A group of actions, perhaps inside another group.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) parent: Option<GroupIndex>,
    pub(crate) name: Option<Name>,
    pub(crate) order: Order,
    /// The number of members that run at a time, if it is limited.
    pub(crate) concurrency: Option<NonZeroUsize>,
    pub(crate) handling: Option<Box<Handling>>,
    pub(crate) place: Option<Place>,
    /// The number of groups around it.
    depth: u32,
}

impl Group {
    pub(crate) fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Its guards, which are checked before its first member runs.
    pub(crate) fn guards(&self) -> &[Guard] {
        self.handling.as_ref().map_or(&[], |handling| &handling.guards)
    }
}

/// All groups. An outer one comes before those in it.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    all: Vec<Group>,
    /// The innermost group that has not ended.
    open: Option<GroupIndex>,
}

impl Groups {
    /// Begins a group, inside the one that is open.
    pub(crate) fn begin(&mut self, group: ActionGroup) {
        let ActionGroup { name, order, concurrency, handling, place } = group;
        let parent = self.open;
        let depth = parent.map_or(0, |parent| self.get(parent).depth + 1);
        let concurrency = concurrency.map(|most| NonZeroUsize::try_from(most).unwrap_or(NonZeroUsize::MAX));
        self.open = Some(GroupIndex::after(self.all.len()));
        self.all.push(Group { parent, name, order, concurrency, handling, place, depth });
    }

    /// Ends the innermost group; false if there is none.
    pub(crate) fn end(&mut self) -> bool {
        let Some(open) = self.open else { return false };
        self.open = self.get(open).parent;
        true
    }

    /// The innermost group that has not ended.
    pub(crate) fn open(&self) -> Option<GroupIndex> {
        self.open
    }

    pub(crate) fn get(&self, index: GroupIndex) -> &Group {
        &self.all[index.place()]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (GroupIndex, &Group)> {
        self.all.iter().enumerate().map(|(place, group)| (GroupIndex::after(place), group))
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// `group` and those around it, the innermost first.
    pub(crate) fn around(&self, group: Option<GroupIndex>) -> impl Iterator<Item = GroupIndex> {
        std::iter::successors(group, |group| self.get(*group).parent)
    }

    /// The innermost group around both; none is the whole run. Costs a walk up.
    pub(crate) fn common(&self, a: Option<GroupIndex>, b: Option<GroupIndex>) -> Option<GroupIndex> {
        let (mut a, mut b) = (a?, b?);
        while a != b {
            let (left, right) = (self.get(a), self.get(b));
            let up = if left.depth >= right.depth { left.parent } else { right.parent };
            let parent = up?;
            if left.depth >= right.depth { a = parent } else { b = parent }
        }
        Some(a)
    }
}
