//! The passes that make the graph. Their order is the documentation.

use std::ffi::OsStr;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Claim, Claims, Diagnostic, Diagnostics, Place, Reference};

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex, Reason};
use super::{conflict, cycle};
use crate::list::ActionList;
use crate::set::{ResourceIndex, ResourceSet};

/// What the passes read.
pub(crate) struct Nodes<'a> {
    pub(crate) set: &'a ResourceSet,
    pub(crate) list: &'a ActionList,
    /// The claims of each node; none where they are not known or not wanted.
    pub(crate) claims: &'a [Claims],
    /// The nodes of each resource, in written order.
    pub(crate) of_resource: &'a [Vec<NodeIndex>],
}

/// One pass: adds edges.
type Pass = fn(&Nodes<'_>, &mut Vec<Edge>, &mut Diagnostics);

const PASSES: &[Pass] = &[
    references, // an edge for every expression that reads another resource
    depends_on, // an edge for every resource that is named to come first
    sequence,   // two actions on one resource keep their written order
    claims,     // a file waits for the directory that holds it
    edits,      // two lines of one file are written in their written order
];

/// Runs all passes; a loop is a diagnostic.
pub(crate) fn build(nodes: &Nodes<'_>, diagnostics: &mut Diagnostics) -> Graph {
    let mut edges = Vec::new();
    for pass in PASSES {
        pass(nodes, &mut edges, diagnostics);
    }
    let graph = Graph::new(nodes.list.len(), edges);
    if let Some(edges) = cycle::find(&graph) {
        diagnostics.push(describe_cycle(nodes, &edges));
    }
    graph
}

impl Nodes<'_> {
    fn indexes(&self) -> impl Iterator<Item = (NodeIndex, ResourceIndex)> {
        (0..).zip(self.list.iter()).map(|(node, entry)| (node, entry.resource))
    }

    /// An edge from the last action on the target of `reference`; those before it are before it.
    fn refer(&self, reference: &Reference, node: NodeIndex, reason: &Reason, edges: &mut Vec<Edge>) {
        let Some(target) = self.set.find(&reference.target) else { return };
        let Some(&before) = self.of_resource[target as usize].last() else { return };
        edges.push(Edge::new(before, node, reason.clone(), reference.place));
    }
}

fn references(nodes: &Nodes<'_>, edges: &mut Vec<Edge>, _: &mut Diagnostics) {
    for (node, resource) in nodes.indexes() {
        for attribute in &nodes.set.entry(resource).declaration.attributes {
            for reference in attribute.value.references() {
                nodes.refer(reference, node, &Reason::Reference, edges);
            }
        }
    }
}

fn depends_on(nodes: &Nodes<'_>, edges: &mut Vec<Edge>, diagnostics: &mut Diagnostics) {
    for (node, resource) in nodes.indexes() {
        let of_resource = &nodes.set.entry(resource).declaration.meta.depends_on;
        let of_action = &nodes.list.get(node as usize).depends_on;
        for reference in of_resource.iter().chain(of_action) {
            if nodes.set.find(&reference.target).is_none() {
                diagnostics.push(nodes.set.missing(
                    &reference.target,
                    reference.place,
                    "named in depends_on",
                ));
            }
            nodes.refer(reference, node, &Reason::DependsOn, edges);
        }
    }
}

fn sequence(nodes: &Nodes<'_>, edges: &mut Vec<Edge>, _: &mut Diagnostics) {
    for actions in nodes.of_resource {
        for pair in actions.windows(2) {
            edges.push(Edge::new(pair[0], pair[1], Reason::Sequence, None));
        }
    }
}

fn claims(nodes: &Nodes<'_>, edges: &mut Vec<Edge>, diagnostics: &mut Diagnostics) {
    let providers = Providers::index(nodes.claims);
    diagnostics.extend(conflict::held_twice(nodes, providers.paths.values()));
    for (node, claims) in (0..).zip(nodes.claims) {
        for need in &claims.needs {
            let Some((claim, found)) = providers.of(need, nodes) else { continue };
            diagnostics.extend(conflict::stands_on_removed(nodes, found, node, &claim));
            edges.extend(found.iter().filter_map(|&provider| claim_edge(nodes, provider, node, &claim)));
        }
    }
}

fn edits(nodes: &Nodes<'_>, edges: &mut Vec<Edge>, _: &mut Diagnostics) {
    let mut last: FxHashMap<&Claim, NodeIndex> = FxHashMap::default();
    for (node, claims) in (0..).zip(nodes.claims) {
        for claim in &claims.edits {
            if let Some(before) = last.insert(claim, node) {
                edges.push(Edge::new(before, node, Reason::Edits(claim.clone()), None));
            }
        }
    }
}

/// Who provides what. Paths have their own index, because a need walks up through the parents;
/// they are normal, so their text is their key.
#[derive(Default)]
struct Providers<'a> {
    paths: FxHashMap<&'a OsStr, Vec<NodeIndex>>,
    others: FxHashMap<&'a Claim, Vec<NodeIndex>>,
}

impl<'a> Providers<'a> {
    fn index(all: &'a [Claims]) -> Self {
        let mut providers = Self::default();
        for (node, claims) in (0..).zip(all) {
            for claim in &claims.provides {
                match claim {
                    Claim::Path(path) => providers.paths.entry(path.as_os_str()).or_default().push(node),
                    other => providers.others.entry(other).or_default().push(node),
                }
            }
        }
        providers
    }

    /// Who provides `need`: for a path, itself or the nearest parent that somebody provides.
    fn of<'b>(&'b self, need: &Claim, nodes: &'b Nodes<'_>) -> Option<(Claim, &'b [NodeIndex])> {
        match need {
            Claim::Path(path) => path.ancestors().find_map(|path| {
                let found = self.paths.get(path.as_os_str())?;
                Some((Claim::Path(PathBuf::from(path)), found.as_slice()))
            }),
            Claim::Resource(id) => {
                let index = nodes.set.find(id)?;
                Some((need.clone(), nodes.of_resource[index as usize].as_slice()))
            }
            other => Some((other.clone(), self.others.get(other)?.as_slice())),
        }
    }
}

/// What stands on something comes after it, and is taken away before it.
fn claim_edge(nodes: &Nodes<'_>, provider: NodeIndex, needer: NodeIndex, claim: &Claim) -> Option<Edge> {
    let action = |node: NodeIndex| &nodes.list.get(node as usize).action;
    let same = nodes.list.get(provider as usize).resource == nodes.list.get(needer as usize).resource;
    let (before, after) = match (action(provider), action(needer)) {
        _ if same => return None,
        (Action::Remove, _) => (needer, provider),
        (_, Action::Remove) => return None,
        _ => (provider, needer),
    };
    Some(Edge::new(before, after, Reason::Claim(claim.clone()), None))
}

fn describe_cycle(nodes: &Nodes<'_>, edges: &[&Edge]) -> Diagnostic {
    let id = |node: NodeIndex| nodes.set.id(nodes.list.get(node as usize).resource);
    let place =
        |edge: &Edge| -> Option<Place> { edge.place.or_else(|| nodes.list.get(edge.after as usize).place) };
    let steps: Vec<String> = edges
        .iter()
        .map(|edge| format!("{} waits for {} ({})", id(edge.after), id(edge.before), edge.reason))
        .collect();
    let mut diagnostic = Diagnostic::error("dependency cycle", steps.join(", "))
        .at(edges.first().and_then(|edge| place(edge)))
        .fix("remove one of these dependencies");
    for edge in edges.iter().skip(1) {
        if let Some(place) = place(edge) {
            diagnostic =
                diagnostic.and_at(place, format!("{} waits for {}", id(edge.after), id(edge.before)));
        }
    }
    diagnostic
}
