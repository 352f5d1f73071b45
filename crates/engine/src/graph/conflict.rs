//! Resources that cannot all have their way.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Claim, Diagnostic, Place};

use super::edge::NodeIndex;
use super::passes::Nodes;
use crate::check::Wanted;
use crate::list::ActionEntry;

/// Two resources that hold one thing, such as a path or the time zone, would undo each other's work in
/// every run. Each further one is told with the first, and once.
pub(super) fn held_twice<'a>(
    nodes: &Nodes<'_>,
    providers: impl Iterator<Item = &'a Vec<NodeIndex>>,
) -> Vec<Diagnostic> {
    let several = providers.filter(|providers| providers.len() > 1).flatten().copied();
    let several: BTreeSet<NodeIndex> =
        several.filter(|node| is_certain(nodes, *node, &Action::Converge)).collect();
    let mut holders: FxHashMap<&Claim, NodeIndex> = FxHashMap::default();
    let mut told = FxHashSet::default();
    let mut found = Vec::new();
    for node in several {
        for claim in &nodes.claims[node as usize].holds {
            let first = *holders.entry(claim).or_insert(node);
            let pair = (entry(nodes, first).resource, entry(nodes, node).resource);
            if pair.0 != pair.1 && told.insert(pair) {
                found.push(twice(nodes, first, node, claim));
            }
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.place.map(|place| (place.source, place.start)));
    found
}

fn twice(nodes: &Nodes<'_>, first: NodeIndex, second: NodeIndex, what: &Claim) -> Diagnostic {
    let detail = format!("{} and {} both hold {what}", id(nodes, first), id(nodes, second));
    let diagnostic = Diagnostic::error("one thing held twice", detail)
        .at(declared_at(nodes, second))
        .fix("keep one of them, and put all of it there");
    also_at(diagnostic, declared_at(nodes, first), "held here, too")
}

/// What is removed cannot hold what is declared.
pub(super) fn stands_on_removed(
    nodes: &Nodes<'_>,
    providers: &[NodeIndex],
    needer: NodeIndex,
    claim: &Claim,
) -> Option<Diagnostic> {
    let last = *providers.last()?;
    let conflict = matches!(claim, Claim::Path(_))
        && is_certain(nodes, needer, &Action::Converge)
        && providers.iter().all(|provider| is_certain(nodes, *provider, &Action::Remove))
        && !providers.iter().any(|provider| is_brought_along(nodes, *provider, claim))
        && entry(nodes, last).resource != entry(nodes, needer).resource;
    conflict.then(|| {
        let detail = format!("{} needs {claim}, which {} removes", id(nodes, needer), id(nodes, last));
        let diagnostic = Diagnostic::error("stands on what is removed", detail)
            .at(declared_at(nodes, needer))
            .fix("remove both, or neither");
        also_at(diagnostic, declared_at(nodes, last), "removed here")
    })
}

/// Whether a path comes along with what this node is about, as with a package. It need not go with it.
pub(super) fn is_brought_along(nodes: &Nodes<'_>, provider: NodeIndex, claim: &Claim) -> bool {
    matches!(claim, Claim::Path(_)) && !nodes.claims[provider as usize].holds.contains(claim)
}

fn also_at(diagnostic: Diagnostic, place: Option<Place>, label: &str) -> Diagnostic {
    match place {
        Some(place) => diagnostic.and_at(place, label),
        None => diagnostic,
    }
}

/// Whether the node does this, and no condition keeps it from doing so.
fn is_certain(nodes: &Nodes<'_>, node: NodeIndex, action: &Action) -> bool {
    entry(nodes, node).action() == action && nodes.wanted[node as usize] == Wanted::Yes
}

fn entry<'a>(nodes: &Nodes<'a>, node: NodeIndex) -> &'a ActionEntry {
    nodes.list.get(node as usize)
}

fn id<'a>(nodes: &Nodes<'a>, node: NodeIndex) -> &'a uphold_model::ResourceId {
    nodes.set.id(entry(nodes, node).resource)
}

fn declared_at(nodes: &Nodes<'_>, node: NodeIndex) -> Option<Place> {
    nodes.set.entry(entry(nodes, node).resource).declaration.place
}
