//! The action list: `(resource, action)` pairs in order, repeats allowed.

use uphold_model::{Action, ActionGroup, Few, Order, Place, Reference, Term};

use crate::graph::NodeIndex;
use crate::program::groups::{GroupIndex, Groups};
use crate::program::run_nodes::{RunNodes, is_run_node};
use crate::program::set::ResourceIndex;

/// What is done, in written order. A resource that is not in it is left alone.
#[derive(Debug, Default)]
pub struct ActionList {
    entries: Vec<ActionEntry>,
    /// How many entries are written; after them come those that are done when somebody asks.
    written: usize,
    groups: Groups,
    pub(crate) run_nodes: RunNodes,
}

/// One action on one resource.
#[derive(Clone, Debug)]
pub struct ActionEntry {
    /// The resource.
    pub resource: ResourceIndex,
    /// The group that it stands in.
    pub(crate) group: Option<GroupIndex>,
    /// Where that was written.
    pub place: Option<Place>,
    /// Most are converged without conditions; whatever else is to be done lies elsewhere.
    pub(crate) special: Option<Box<Special>>,
}

/// What is done, and when.
#[derive(Clone, Debug)]
pub(crate) struct Special {
    action: Action,
    depends_on: Few<Reference>,
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

    /// What is done with it.
    pub fn action(&self) -> &Action {
        self.special.as_ref().map_or(&Action::Converge, |special| &special.action)
    }

    /// The same after these, and only if this holds.
    #[must_use]
    pub(crate) fn under(self, depends_on: Few<Reference>, when: Option<Term>) -> Self {
        if depends_on.is_empty() && when.is_none() {
            return self;
        }
        let action = self.action().clone();
        Self { special: Some(Box::new(Special { action, depends_on, when })), ..self }
    }

    /// What comes before, besides what the resource stands on.
    pub fn depends_on(&self) -> &[Reference] {
        self.special.as_ref().map_or(&[], |special| &special.depends_on)
    }

    /// Whether it is done at all, if only the run can tell.
    pub fn when(&self) -> Option<&Term> {
        self.special.as_ref()?.when.as_ref()
    }
}

impl Special {
    fn of(action: Action) -> Self {
        Self { action, depends_on: Few::default(), when: None }
    }
}

impl ActionList {
    /// Puts an action at the end, into the innermost group that is open.
    pub fn trigger(&mut self, entry: ActionEntry) {
        debug_assert_eq!(self.written, self.entries.len(), "what is written comes first");
        self.entries.push(ActionEntry { group: self.groups.open(), ..entry });
        self.written += 1;
    }

    /// Adds an action that is only done when somebody asks for it.
    pub(crate) fn on_request(&mut self, entry: ActionEntry) -> NodeIndex {
        self.entries.push(entry);
        NodeIndex::try_from(self.entries.len() - 1).expect("fewer than 2^32 actions")
    }

    /// Begins a group: what is triggered until its end belongs to it.
    pub fn begin(&mut self, group: ActionGroup) {
        self.groups.begin(group);
    }

    /// Ends the innermost group; false if there is none.
    pub fn end(&mut self) -> bool {
        self.groups.end()
    }

    /// Gives back memory that nothing more will need.
    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
    }

    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Whether a sequence puts the entry `first` before the entry `second`: the innermost group
    /// around both is one. Costs a walk up the groups around them.
    pub(crate) fn is_sequenced(&self, first: usize, second: usize) -> bool {
        let common = self.groups.common(self.entries[first].group, self.entries[second].group);
        let written = first < second && second < self.written;
        written && common.is_some_and(|group| self.groups.get(group).order == Order::Sequence)
    }

    /// Takes out every action on a resource.
    pub fn delete(&mut self, resource: ResourceIndex) {
        self.entries.retain(|entry| entry.resource != resource);
        self.written = self.entries.len();
    }

    /// All written actions, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ActionEntry> {
        self.entries[..self.written].iter()
    }

    /// How many of them there are.
    pub fn len(&self) -> usize {
        self.written
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// All actions: written ones, then those that run only when they are notified. Edges of the graph count these nodes.
    pub fn all(&self) -> &[ActionEntry] {
        &self.entries
    }

    /// Whether an action is only done when somebody asks.
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
