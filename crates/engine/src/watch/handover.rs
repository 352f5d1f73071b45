//! The handover from the watch of one program to the watch of the next one.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Map, Mutex, Name, ResourceId};
use uphold_resource::{Instance, Token};

use crate::graph::NodeIndex;
use crate::notifications::NotificationRun;
use crate::program::Program;
use crate::program::list::is_run_node;
use crate::program::scope::Publication;
use crate::program::set::ResourceIndex;

use super::health::{Health, LastHealth};
use super::reports::{Marks, Tokens};
use super::shape::WakeIndex;

/// The knowledge of a watch when it ends. Nodes are those of its program.
pub(crate) struct Handover {
    pub(crate) program: Arc<Program>,
    pub(crate) last: LastHealth,
    pub(crate) tokens: Tokens,
    pub(crate) armed: Vec<bool>,
    pub(crate) marks: Marks,
    pub(crate) secrets: FxHashSet<NodeIndex>,
    pub(crate) published: FxHashMap<ResourceIndex, Publication>,
    pub(crate) deferred: FxHashMap<NodeIndex, Map>,
    pub(crate) undelivered: Vec<NotificationRun>,
}

/// The same knowledge, as far as it holds for the next program. Nodes are those of the next program.
#[derive(Default)]
pub(crate) struct Inherited {
    /// Whether each node goes on as it is.
    pub(crate) kept: Vec<bool>,
    pub(crate) tokens: Tokens,
    pub(crate) armed: Vec<bool>,
    pub(crate) marks: Marks,
    pub(crate) blind: FxHashSet<NodeIndex>,
    pub(crate) secrets: FxHashSet<NodeIndex>,
    pub(crate) published: FxHashMap<ResourceIndex, Publication>,
    pub(crate) deferred: FxHashMap<NodeIndex, Map>,
    pub(crate) undelivered: Vec<NotificationRun>,
    /// Tokens that are not watched any more.
    pub(crate) unwatched: Vec<Token>,
    /// How many written actions are no longer declared.
    pub(crate) left: usize,
}

impl Inherited {
    /// There was no previous program.
    pub(crate) fn nothing(program: &Program, index: &WakeIndex) -> Self {
        let nodes = program.list.all().len();
        let mut inheritance = Self { kept: vec![false; nodes], armed: vec![false; nodes], ..Self::default() };
        inheritance.give_tokens(nodes, index, &FxHashMap::default(), 0);
        inheritance
    }

    /// Every watched node has a token: its previous one if it has one.
    fn give_tokens(
        &mut self,
        nodes: usize,
        index: &WakeIndex,
        old: &FxHashMap<NodeIndex, Token>,
        mut next: Token,
    ) {
        self.tokens.of_nodes = vec![None; nodes];
        for node in index.watched() {
            let token = old.get(&node).copied().unwrap_or_else(|| {
                next += 1;
                next
            });
            self.tokens.of_nodes[node as usize] = Some(token);
            self.tokens.nodes.insert(token, node);
        }
    }
}

impl Handover {
    /// Translates all nodes to those of the next program.
    pub(crate) fn translate(self, program: &Program, index: &WakeIndex) -> Inherited {
        let nodes = program.list.all().len();
        let pairs = pairs(&self.program, program);
        let mut inherited =
            Inherited { kept: vec![false; nodes], armed: vec![false; nodes], ..Inherited::default() };
        let tokens = pairs.iter().filter_map(|(new, old)| Some((*new, self.tokens.of_nodes[*old as usize]?)));
        let tokens: FxHashMap<NodeIndex, Token> = tokens.collect();
        let last = self.tokens.nodes.keys().copied().max().unwrap_or(0);
        inherited.give_tokens(nodes, index, &tokens, last);
        inherited.unwatched = self
            .tokens
            .nodes
            .keys()
            .copied()
            .filter(|token| !inherited.tokens.nodes.contains_key(token))
            .collect();
        let written = |program: &Program, node: NodeIndex| !program.list.is_on_request(node);
        let found = pairs.values().filter(|old| written(&self.program, **old)).count();
        inherited.left = self.program.list.len() - found;
        let alike = self.program.registry.defines_alike(&program.registry);
        for (&new, &old) in &pairs {
            self.translate_node((old, new), program, alike, &mut inherited);
        }
        self.visit_managed_readers(&pairs, program, &mut inherited);
        for (token, node) in &inherited.tokens.nodes {
            let old = self.tokens.nodes.get(token);
            if let Some(what) = old.and_then(|old| self.marks.marked.get(old)) {
                inherited.marks.marked.insert(*node, what.clone());
            }
        }
        inherited.marks.lost = self.marks.lost;
        let published = self.published.into_iter();
        let known =
            published.filter_map(|(old, what)| Some((program.set.find(self.program.set.id(old))?, what)));
        inherited.published = known.collect();
        let back: FxHashMap<NodeIndex, NodeIndex> = pairs.iter().map(|(new, old)| (*old, *new)).collect();
        let old = &self.program;
        let renew = |run: NotificationRun| {
            let entry = old.list.get(run.target as usize);
            let listed =
                || Some(program.target(program.set.find(old.set.id(entry.resource))?, entry.action()));
            let target =
                back.get(&run.target).copied().or_else(|| is_run_node(run.target).then(listed)?)?;
            let by = back.get(&run.by).copied().unwrap_or(target);
            let also = run.also.iter().filter_map(|by| back.get(by).copied()).collect();
            Some(NotificationRun { target, by, also, after: None, ..run })
        };
        inherited.undelivered = self.undelivered.into_iter().filter_map(renew).collect();
        inherited
    }

    fn translate_node(
        &self,
        (old, new): (NodeIndex, NodeIndex),
        program: &Program,
        alike: bool,
        inherited: &mut Inherited,
    ) {
        if self.secrets.contains(&old) {
            inherited.secrets.insert(new);
        }
        // A visit that waits for its time is due in the next program.
        let last = &self.last;
        let is_due = [&last.limited, &last.retried, &last.paused].into_iter().any(|due| due.contains(&old));
        if last.health[old as usize] != Health::Idle
            || is_due
            || !self.program.is_unconditional(old)
            || !program.is_unconditional(new)
            || !self.is_same_kind(old, new, program, alike)
            || !self.is_read_alike(old, new, program)
        {
            return;
        }
        if last.blind.contains(&old) {
            inherited.blind.insert(new);
        }
        inherited.marks.intervals.extend(self.marks.intervals.get(&old).map(|span| (new, *span)));
        inherited.marks.hidden.extend(self.marks.hidden.get(&old).map(|hidden| (new, hidden.clone())));
        let Some(values) = declared(program, new) else {
            inherited.deferred.extend(self.deferred.get(&old).map(|values| (new, values.clone())));
            return;
        };
        let same = match self.deferred.get(&old) {
            Some(before) => *before == values,
            None => declared(&self.program, old).is_some_and(|before| before == values),
        };
        if same && is_sensitive(&self.program, old) == is_sensitive(program, new) {
            inherited.kept[new as usize] = true;
            inherited.armed[new as usize] = self.armed[old as usize];
        }
    }

    /// If anything differs, nodes that asked which paths others manage are visited, too.
    fn visit_managed_readers(
        &self,
        pairs: &FxHashMap<NodeIndex, NodeIndex>,
        program: &Program,
        inherited: &mut Inherited,
    ) {
        let all = inherited.left == 0 && inherited.kept.iter().take(program.list.len()).all(|kept| *kept);
        for (new, _) in pairs.iter().filter(|(_, old)| self.marks.managed_readers.contains(old)) {
            inherited.marks.managed_readers.insert(*new);
            if !all {
                inherited.kept[*new as usize] = false;
                inherited.deferred.remove(new);
            }
        }
    }

    /// Whether its kind is the same. Equal values can mean something else to a kind that was defined again; and defined
    /// kinds may use each other.
    fn is_same_kind(&self, old: NodeIndex, new: NodeIndex, program: &Program, alike: bool) -> bool {
        match (self.program.kind(old), program.kind(new)) {
            (Some(before), Some(now)) => before.is(now) && (alike || now.is_compiled()),
            _ => false,
        }
    }

    /// Whether everything that others read of it now was published before.
    fn is_read_alike(&self, old: NodeIndex, new: NodeIndex, program: &Program) -> bool {
        let published = &self.program.nodes[old as usize].read_by_others;
        program.nodes[new as usize].read_by_others.iter().all(|property| published.contains(property))
    }
}

/// The declared values of a node's resource; none if they are only known at its visit.
fn declared(program: &Program, node: NodeIndex) -> Option<Map> {
    program.nodes[node as usize].instance.as_deref().map(declared_values)
}

fn is_sensitive(program: &Program, node: NodeIndex) -> bool {
    program.declared(node).declaration.meta.sensitive
}

/// The old node of each new one: the same action of the same resource, and the same of them if there are several.
fn pairs(old: &Program, new: &Program) -> FxHashMap<NodeIndex, NodeIndex> {
    let before: FxHashMap<Key<'_>, NodeIndex> = keys(old).collect();
    keys(new).filter_map(|(key, node)| Some((node, *before.get(&key)?))).collect()
}

/// The resource, the action, which of several it is, and whether it runs only when it is notified.
type Key<'a> = (&'a ResourceId, &'a Action, u32, bool);

fn keys(program: &Program) -> impl Iterator<Item = (Key<'_>, NodeIndex)> {
    let mut counts: FxHashMap<(ResourceIndex, &Action), u32> = FxHashMap::default();
    (0..).zip(program.list.all()).map(move |(node, entry)| {
        let count = counts.entry((entry.resource, entry.action())).or_default();
        *count += 1;
        let id = program.set.id(entry.resource);
        ((id, entry.action(), *count, program.list.is_on_request(node)), node)
    })
}

// Declared values of resources that are decoded at their visit.

/// The declared values of resources that are decoded at their visit, so that a resource with the same values in the next
/// program need not be visited.
#[derive(Default)]
pub(crate) struct DeferredValues {
    /// Those of the previous program. Each counts once.
    before: Mutex<FxHashMap<NodeIndex, Map>>,
    now: Mutex<FxHashMap<NodeIndex, Map>>,
}

impl DeferredValues {
    pub(crate) fn of(before: FxHashMap<NodeIndex, Map>) -> Self {
        Self { before: Mutex::new(before), ..Self::default() }
    }

    /// Notes the values of a resource; true if they are those of the previous program, where it was as declared.
    pub(crate) fn note(&self, node: NodeIndex, instance: &dyn Instance) -> bool {
        let values = declared_values(instance);
        let before = self.before.lock().remove(&node);
        let same = before.is_some_and(|before| before == values);
        self.now.lock().insert(node, values);
        same
    }

    /// A resource may have changed: it is visited even if its values are the same.
    pub(crate) fn invalidate(&self, node: NodeIndex) {
        self.before.lock().remove(&node);
    }

    /// All values that were noted.
    pub(crate) fn into_now(self) -> FxHashMap<NodeIndex, Map> {
        self.now.into_inner()
    }
}

/// All declared values of a resource.
pub(crate) fn declared_values(instance: &dyn Instance) -> Map {
    let properties = instance.schema().all();
    let declared = properties.into_iter().filter(|property| property.role.is_settable());
    declared
        .filter_map(|property| Some((Name::from(property.name), instance.value(property.name, None)?)))
        .collect()
}
