//! The dependency graph, with a reason for each edge.

mod adjacency;
mod conflict;
mod edge;
mod groups;
mod loops;
mod providers;
mod removals;
mod shared;
mod verification;

use std::sync::Arc;

use adjacency::Draft;
use providers::{Providers, ProvidersOfNeeds};
use uphold_model::{
    Action, Claim, Claims, Code, Diagnostic, Diagnostics, Place, Reference, ResourceId, Term,
};

use super::notifications::NotificationTable;
use super::program::claims::{HiddenClaims, Needs};
use super::program::condition::Truth;
use super::program::decode::also_at;
use super::program::list::{ActionEntry, ActionList};
use super::program::nodes_by_resource::NodesByResource;
use super::program::secret_paths;
use super::program::set::{ResourceIndex, ResourceSet};

pub use adjacency::Graph;
pub use edge::{Edge, NodeIndex, Reason};

pub(crate) use loops::without_loops;

// The passes that make the graph. Their order is the documentation.

/// The facts that the passes read.
pub(crate) struct Nodes<'a> {
    pub(crate) set: &'a ResourceSet,
    pub(crate) list: &'a ActionList,
    /// The number of declared resources. Those after them are no longer declared, and are removed or reverted.
    pub(crate) declared: usize,
    /// The claims of each node; none where they are not known, or its condition is false.
    pub(crate) claims: &'a [Claims],
    pub(crate) needs: &'a Needs,
    /// The claims that reasons and messages must not show.
    pub(crate) hidden: &'a HiddenClaims,
    /// The nodes of each resource, in written order.
    pub(crate) of_resource: &'a NodesByResource,
    /// Whether the condition of each node is true.
    pub(crate) conditions: &'a [Truth],
    pub(crate) notifications: &'a NotificationTable,
}

/// One pass: adds edges.
type Pass = fn(&Nodes<'_>, &mut Draft, &mut Diagnostics);

const PASSES: &[Pass] = &[
    references,       // an edge for every expression that reads another resource
    depends_on,       // an edge for every resource or module in `depends_on`
    same_resource,    // two actions on one resource keep their written order
    groups::sequence, // the members of a sequence come one after the other
    claims,           // a file waits for the directory that holds it
    shared::leads,    // a package waits for the repositories, unless one of them waits for it
    edits,            // two lines of one file are written in their written order
    edited,           // the copy of a file waits for all lines of that file, unless one of them waits for it
    shared::trees, // the archive of a directory waits for the files inside, unless one of them waits for it
    groups::wait,  // the dependencies of a whole group are those of its members
    notifies,      // a notified resource comes after its notifier, unless something else needs another order
    removals::last, // a resource that is no longer declared is removed last, or before another takes its place
];

/// Runs all passes; a loop is a diagnostic.
pub(crate) fn build(nodes: &Nodes<'_>, diagnostics: &mut Diagnostics) -> Graph {
    let mut draft = Draft::new(nodes.list.all().len());
    let ending = nodes.list.groups.iter().filter(|(group, _)| nodes.notifications.has_end(*group));
    ending.for_each(|(group, _)| draft.add_end(group));
    for pass in PASSES {
        pass(nodes, &mut draft, diagnostics);
    }
    let mut graph = draft.finish();
    let mut found = loop_of(&graph);
    if found.is_some() && nodes.claims.iter().any(|claims| !claims.follows.is_empty()) {
        graph = shared::give_way(nodes, graph);
        found = loop_of(&graph);
    }
    if found.is_some() && nodes.notifications.pairs().next().is_some() {
        graph = without_loops(graph, |edge| edge.reason == Reason::Notifies);
        found = loop_of(&graph);
    }
    let is_node = |node: NodeIndex| (node as usize) < nodes.list.all().len();
    if found.as_ref().is_some_and(|edges| edges.iter().any(Edge::is_inside)) {
        // Only the edge on the loop is dropped: the reader still comes after the others inside.
        graph = without_loops(graph, |edge| edge.is_inside() && is_node(edge.before));
        found = loop_of(&graph);
    }
    if found.as_ref().is_some_and(|edges| edges.iter().any(Edge::is_edit)) {
        graph = shared::rearrange(nodes, graph);
        found = loop_of(&graph);
    }
    if found.as_ref().is_some_and(|edges| edges.iter().any(Edge::is_edited)) {
        graph = without_loops(graph, |edge| edge.is_edited() && is_node(edge.after));
        graph = shared::rearrange(nodes, graph);
        found = loop_of(&graph);
    }
    if found.is_none() {
        graph = verification::after_verification(nodes, graph);
        found = loop_of(&graph);
    }
    diagnostics.extend(found.map(|edges| describe_cycle(nodes, &edges)));
    graph
}

impl<'a> Nodes<'a> {
    fn entry(&self, node: NodeIndex) -> &'a ActionEntry {
        self.list.get(node as usize)
    }

    fn id(&self, node: NodeIndex) -> &'a ResourceId {
        self.set.id(self.entry(node).resource)
    }

    /// Whether the resource of a node is no longer declared.
    fn is_left(&self, node: NodeIndex) -> bool {
        self.is_left_resource(self.entry(node).resource)
    }

    fn is_left_resource(&self, resource: ResourceIndex) -> bool {
        resource as usize >= self.declared
    }

    /// The resource that a node names. A declared one names only declared ones, even if one that is no longer declared has
    /// the address of a block with `for_each`.
    fn named(&self, target: &ResourceId, node: NodeIndex) -> Option<ResourceIndex> {
        self.set.find(target).filter(|found| self.is_left(node) || !self.is_left_resource(*found))
    }

    fn indexes(&self) -> impl Iterator<Item = (NodeIndex, ResourceIndex)> {
        (0..).zip(self.list.all()).map(|(node, entry)| (node, entry.resource))
    }

    /// Adds an edge from the last action on the target of `reference`. If a sequence puts that after the node, from the
    /// last one that was written before the node.
    fn refer(&self, reference: &Reference, node: NodeIndex, reason: &Reason, draft: &mut Draft) {
        let Some(target) = self.named(&reference.target, node) else { return };
        let actions = &self.of_resource[target];
        let Some(&last) = actions.last() else { return };
        let written_before = &actions[..actions.partition_point(|action| *action < node)];
        let before = match written_before.last() {
            Some(&earlier) if self.comes_later(last, node) => earlier,
            _ => last,
        };
        draft.push(Edge::new(before, node, reason.clone(), reference.place));
    }

    /// A claim as a reason may show it.
    fn shown(&self, claim: &Claim) -> Arc<Claim> {
        Arc::new(self.hidden.shown(claim).into_owned())
    }

    /// Whether a sequence puts `other` after `node`.
    fn comes_later(&self, other: NodeIndex, node: NodeIndex) -> bool {
        self.list.is_sequenced(node as usize, other as usize)
    }
}

fn references(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    for (node, resource) in nodes.indexes() {
        let of_action = nodes.entry(node).when().into_iter().flat_map(Term::references);
        for reference in nodes.set.entry(resource).references().chain(of_action) {
            nodes.refer(reference, node, &Reason::Reference, draft);
        }
    }
}

fn depends_on(nodes: &Nodes<'_>, draft: &mut Draft, diagnostics: &mut Diagnostics) {
    let mut others = Vec::new();
    for (node, resource) in nodes.indexes() {
        let of_resource = &nodes.set.entry(resource).declaration.meta.depends_on;
        let of_action = nodes.entry(node).depends_on();
        for reference in of_resource.iter().chain(of_action) {
            match nodes.named(&reference.target, node) {
                Some(_) => nodes.refer(reference, node, &Reason::DependsOn, draft),
                None => others.push((node, reference)),
            }
        }
    }
    groups::depend_on_modules(nodes, &others, draft, diagnostics);
}

fn same_resource(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    for actions in nodes.of_resource.iter() {
        draft.extend(actions.windows(2).map(|pair| Edge::new(pair[0], pair[1], Reason::SameResource, None)));
    }
}

fn claims(nodes: &Nodes<'_>, draft: &mut Draft, diagnostics: &mut Diagnostics) {
    let providers = Providers::index(nodes.claims);
    diagnostics.extend(conflict::held_twice(nodes, &providers));
    let mut of_needs = ProvidersOfNeeds::new(nodes, &providers);
    for (node, number) in nodes.needs.numbers() {
        let Some((claim, found)) = of_needs.find(number, node) else { continue };
        diagnostics.extend(conflict::depends_on_removed(nodes, found, node, &claim));
        let other = found.iter().any(|provider| !nodes.comes_later(*provider, node));
        let counts = |provider: &&NodeIndex| !other || !nodes.comes_later(**provider, node);
        let found = found.iter().filter(counts).filter(|provider| !is_made_again(nodes, **provider));
        let edges = found.filter_map(|&provider| claim_edge(nodes, provider, node, &claim));
        // No node waits for one that runs only when it is notified.
        draft.extend(edges.filter(|edge| !nodes.list.is_on_request(edge.before)));
    }
    remove_after_it_came(nodes, &providers, draft);
}

/// A path that a package ships is removed after the package was installed.
fn remove_after_it_came(nodes: &Nodes<'_>, providers: &Providers<'_>, draft: &mut Draft) {
    let removed = (0..).zip(nodes.list.iter()).filter(|(_, entry)| *entry.action() == Action::Remove);
    for (node, _) in removed {
        for claim in &nodes.claims[node as usize].holds {
            let Some(claim) = matches!(claim, Claim::Path(_)).then(|| Arc::new(claim.clone())) else {
                continue;
            };
            let bring = |provider: &&NodeIndex| conflict::comes_with(nodes, **provider, &claim);
            let found = providers.exactly(&claim).iter().filter(bring);
            draft.extend(found.filter_map(|&provider| claim_edge(nodes, provider, node, &claim)));
        }
    }
}

fn edits(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    draft.extend(shared::chain(nodes, 0..nodes.list.len()));
}

fn edited(nodes: &Nodes<'_>, draft: &mut Draft, diagnostics: &mut Diagnostics) {
    let paths = shared::edited_paths(nodes.claims);
    diagnostics.extend(conflict::whole_and_edited(nodes, &paths));
    shared::before_readers(nodes, &paths, draft);
}

fn notifies(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    for (by, notice) in nodes.notifications.pairs() {
        let target = nodes.entry(notice.target);
        let (before, after) = (&nodes.of_resource[by], &nodes.of_resource[target.resource]);
        if let (Some(&before), true) = (before.last(), by != target.resource) {
            draft.extend(after.iter().map(|&after| Edge::new(before, after, Reason::Notifies, target.place)));
        }
    }
}

/// Whether a later action on the same resource creates again what a node removes: then nothing has to be removed before it.
fn is_made_again(nodes: &Nodes<'_>, node: NodeIndex) -> bool {
    let last = nodes.of_resource[nodes.entry(node).resource].last();
    let is_removal = |node: NodeIndex| *nodes.entry(node).action() == Action::Remove;
    is_removal(node) && last.is_some_and(|last| !is_removal(*last))
}

/// A dependent comes after its provider, and is removed before it.
fn claim_edge(nodes: &Nodes<'_>, provider: NodeIndex, needer: NodeIndex, claim: &Arc<Claim>) -> Option<Edge> {
    let (provider_entry, needer_entry) = (nodes.entry(provider), nodes.entry(needer));
    let (before, after) = match (provider_entry.action(), needer_entry.action()) {
        _ if provider_entry.resource == needer_entry.resource => return None,
        // A path that only comes with its provider can be made by others, too.
        (Action::Remove, needer)
            if conflict::comes_with(nodes, provider, claim) && *needer != Action::Remove =>
        {
            return None;
        }
        (Action::Remove, _) => (needer, provider),
        // A resource that removes a part needs the whole; a path that comes with a provider is removed after it came.
        (_, Action::Remove)
            if nodes.claims[needer as usize].edits.contains(claim)
                || conflict::comes_with(nodes, provider, claim) =>
        {
            (provider, needer)
        }
        (_, Action::Remove) => return None,
        _ => (provider, needer),
    };
    let filled = secret_paths::filled(&nodes.claims[provider as usize]);
    let filled = matches!(&**claim, Claim::Path(path) if filled.into_iter().any(|filled| filled == path));
    let shown = if nodes.hidden.contains(claim) { Arc::new(claim.hidden()) } else { claim.clone() };
    Some(Edge::of_claim(before, after, shown, filled))
}

/// A loop, if there is one. Two of its edges that meet at a gate are joined.
fn loop_of(graph: &Graph) -> Option<Vec<Edge>> {
    let mut from = None;
    let mut joined = Vec::new();
    for edge in loops::find(graph)? {
        let before = from.take().unwrap_or(edge.before);
        if graph.is_gate(edge.after) {
            from = Some(before);
        } else {
            joined.push(Edge { before, ..edge.clone() });
        }
    }
    Some(joined)
}

fn describe_cycle(nodes: &Nodes<'_>, edges: &[Edge]) -> Diagnostic {
    let place = |edge: &Edge| -> Option<Place> { edge.place.or_else(|| nodes.entry(edge.after).place) };
    let step = |edge: &Edge| format!("{} waits for {}", nodes.id(edge.after), nodes.id(edge.before));
    let steps: Vec<String> = edges.iter().map(|edge| format!("{} ({})", step(edge), edge.reason)).collect();
    let diagnostic = Diagnostic::new(Code::DependencyCycle, steps.join(", "))
        .at(edges.first().and_then(place))
        .fix("remove one of these dependencies");
    let others = edges.iter().skip(1);
    others.fold(diagnostic, |diagnostic, edge| also_at(diagnostic, place(edge), &step(edge)))
}
