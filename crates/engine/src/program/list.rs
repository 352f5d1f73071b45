//! The action list: `(resource, action)` pairs in order, repeats allowed; and their groups, as a tree.

use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use uphold_model::{
    Action, ActionGroup, Guard, Handling, Mutex, Name, Order, Place, Reference, Term, ThinVec, Verification,
};

use crate::graph::NodeIndex;
use crate::program::Node;
use crate::program::set::ResourceIndex;

/// All actions, in written order. A resource that is not in it is not visited.
#[derive(Debug, Default)]
pub struct ActionList {
    entries: Vec<ActionEntry>,
    /// How many entries are written; those after them run only when they are notified.
    written: usize,
    pub(crate) groups: Groups,
    pub(crate) run_nodes: RunNodes,
}

/// One action on one resource.
#[derive(Clone, Debug)]
pub struct ActionEntry {
    /// The resource.
    pub resource: ResourceIndex,
    /// The innermost group around it.
    pub(crate) group: Option<GroupIndex>,
    /// Where that was written.
    pub place: Option<Place>,
    /// Another action than converge, or conditions: most entries have neither.
    pub(crate) special: Option<Box<Special>>,
}

/// An action with its conditions.
#[derive(Clone, Debug)]
pub(crate) struct Special {
    action: Action,
    depends_on: ThinVec<Reference>,
    when: Option<Term>,
}

impl ActionEntry {
    /// An action without further conditions, written nowhere, in no group.
    pub fn new(resource: ResourceIndex, action: Action) -> Self {
        let entry = Self { resource, group: None, place: None, special: None };
        match action {
            Action::Converge => entry,
            action => Self { special: Some(Box::new(Special::of(action))), ..entry },
        }
    }

    /// The action.
    pub fn action(&self) -> &Action {
        self.special.as_ref().map_or(&Action::Converge, |special| &special.action)
    }

    /// The same entry with further dependencies and a condition.
    #[must_use]
    pub(crate) fn under(self, depends_on: ThinVec<Reference>, when: Option<Term>) -> Self {
        if depends_on.is_empty() && when.is_none() {
            return self;
        }
        let action = self.action().clone();
        Self { special: Some(Box::new(Special { action, depends_on, when })), ..self }
    }

    /// Dependencies of the action, besides those of the resource.
    pub fn depends_on(&self) -> &[Reference] {
        self.special.as_ref().map_or(&[], |special| &special.depends_on)
    }

    /// The condition of the action, if it has one.
    pub fn when(&self) -> Option<&Term> {
        self.special.as_ref()?.when.as_ref()
    }
}

impl Special {
    fn of(action: Action) -> Self {
        Self { action, depends_on: ThinVec::default(), when: None }
    }
}

impl ActionList {
    /// Puts an action at the end, into the innermost group that is open.
    pub fn trigger(&mut self, entry: ActionEntry) {
        debug_assert_eq!(self.written, self.entries.len(), "written actions come first");
        self.entries.push(ActionEntry { group: self.groups.open(), ..entry });
        self.written += 1;
    }

    /// Adds an action that runs only when it is notified.
    pub(crate) fn on_request(&mut self, entry: ActionEntry) -> NodeIndex {
        self.entries.push(entry);
        NodeIndex::try_from(self.entries.len() - 1).expect("fewer than 2^32 actions")
    }

    /// Keeps this many written actions, and none that run only when they are notified.
    pub(crate) fn forget_requests(&mut self, written: usize) {
        self.entries.truncate(written);
        self.written = written;
    }

    /// Frees memory that is no longer needed.
    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
    }

    /// Whether a sequence puts the entry `first` before the entry `second`: the innermost group
    /// around both is one. Costs a walk up the groups around them.
    pub(crate) fn is_sequenced(&self, first: usize, second: usize) -> bool {
        let common = self.groups.common(self.entries[first].group, self.entries[second].group);
        let written = first < second && second < self.written;
        written && common.is_some_and(|group| self.groups.get(group).order == Order::Sequence)
    }

    /// All written actions, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ActionEntry> {
        self.entries[..self.written].iter()
    }

    /// The number of written actions.
    pub fn len(&self) -> usize {
        self.written
    }

    /// Whether there are no written actions.
    pub fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// All actions: written ones, then those that run only when they are notified. Edges of the graph count these nodes.
    pub fn all(&self) -> &[ActionEntry] {
        &self.entries
    }

    /// Whether an action runs only when it is notified.
    pub(crate) fn is_on_request(&self, node: NodeIndex) -> bool {
        node as usize >= self.written
    }

    /// The action at this place of the list, or of a node that was added while the program ran.
    pub fn get(&self, index: usize) -> &ActionEntry {
        match NodeIndex::try_from(index) {
            Ok(node) if is_run_node(node) => &self.run_nodes.get(node).entry,
            _ => &self.entries[index],
        }
    }
}

/// Run nodes are numbered from here, after every action of the list and every gate.
const FIRST: NodeIndex = 1 << 31;

/// Nodes of actions that only nested resources notify: which ones is not known before the run. They do not move in memory,
/// so that a visit can refer to one while others are added.
#[derive(Default)]
pub(crate) struct RunNodes {
    /// Each holds twice as many as the previous one.
    chunks: [OnceLock<Box<[OnceLock<RunNode>]>>; 31],
    known: Mutex<FxHashMap<(ResourceIndex, Action), NodeIndex>>,
}

/// An action without a place in the list.
pub(crate) struct RunNode {
    pub(crate) entry: ActionEntry,
    pub(crate) node: Node,
}

/// Whether a node was added while the program ran.
pub(crate) fn is_run_node(node: NodeIndex) -> bool {
    node >= FIRST
}

impl RunNodes {
    /// The node of an action, which is made if there is none.
    pub(crate) fn find_or_add(
        &self,
        resource: ResourceIndex,
        action: &Action,
        make: impl FnOnce() -> RunNode,
    ) -> NodeIndex {
        let mut known = self.known.lock();
        let next = FIRST + NodeIndex::try_from(known.len()).expect("fewer than 2^31 run nodes");
        *known.entry((resource, action.clone())).or_insert_with(|| {
            self.slot(next).get_or_init(make);
            next
        })
    }

    pub(crate) fn get(&self, node: NodeIndex) -> &RunNode {
        self.slot(node).get().expect("a node that was added")
    }

    fn slot(&self, node: NodeIndex) -> &OnceLock<RunNode> {
        let number = (node - FIRST) as usize + 1;
        let chunk = number.ilog2() as usize;
        let slots =
            self.chunks[chunk].get_or_init(|| (0..1_usize << chunk).map(|_| OnceLock::new()).collect());
        &slots[number - (1 << chunk)]
    }
}

impl fmt::Debug for RunNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunNodes").finish_non_exhaustive()
    }
}

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
    /// How the changes of its members are verified.
    pub(crate) verify: Option<Box<Verification>>,
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
    /// Begins a group, inside the one that is open: actions that are triggered until its end belong to it.
    pub(crate) fn begin(&mut self, group: ActionGroup) {
        let ActionGroup { name, order, concurrency, handling, verify, place } = group;
        let parent = self.open;
        let depth = parent.map_or(0, |parent| self.get(parent).depth + 1);
        let concurrency = concurrency.map(|most| NonZeroUsize::try_from(most).unwrap_or(NonZeroUsize::MAX));
        self.open = Some(GroupIndex::after(self.all.len()));
        self.all.push(Group { parent, name, order, concurrency, handling, verify, place, depth });
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

#[cfg(test)]
mod tests {
    use uphold_model::ThinVec;

    use super::*;

    #[test]
    fn each_action_has_one_node_that_stays() {
        let nodes = RunNodes::default();
        let add = |resource: ResourceIndex| {
            let node = Node { instance: None, read_by_others: ThinVec::default() };
            let entry = ActionEntry::new(resource, Action::Converge);
            nodes.find_or_add(resource, &Action::Converge, || RunNode { entry, node })
        };
        let all: Vec<NodeIndex> = (0..100).map(add).collect();
        let first = nodes.get(all[0]);
        assert_eq!((0..100).map(add).collect::<Vec<_>>(), all);
        assert!(all.iter().all(|node| is_run_node(*node)));
        let resources: Vec<ResourceIndex> = all.iter().map(|node| nodes.get(*node).entry.resource).collect();
        assert_eq!(resources, (0..100).collect::<Vec<_>>());
        assert!(std::ptr::eq(first, nodes.get(all[0])));
    }
}
