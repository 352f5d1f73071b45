//! Conflicts: resources that would undo each other's changes in every run.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Claim, Code, Diagnostic, Handling, Place};

use super::Nodes;
use super::edge::NodeIndex;
use super::providers::Providers;
use super::shared::EditedPaths;
use crate::program::condition::Truth;
use crate::program::decode::also_at;

/// The first node of each kind that holds one thing, or removes it.
#[derive(Default)]
struct Holders {
    converges: Option<NodeIndex>,
    /// The first that leaves it in place: no later action of its resource removes it.
    stays: Option<NodeIndex>,
    removes: Option<NodeIndex>,
}

/// Two resources that hold one thing, such as a path or the time zone, would undo each other's changes in every run; so would
/// one that holds it and one that removes it. Each further one is reported with the first, and once.
pub(super) fn held_twice(nodes: &Nodes<'_>, providers: &Providers<'_>) -> Vec<Diagnostic> {
    let several = providers.all().filter(|providers| providers.len() > 1).flatten().copied();
    let several: BTreeSet<NodeIndex> = several.collect();
    let mut holders: FxHashMap<&Claim, Holders> = FxHashMap::default();
    let mut reported = FxHashSet::default();
    let mut found = Vec::new();
    for node in several {
        let converges = is_certain(nodes, node, &Action::Converge);
        let stays = converges && is_final(nodes, node);
        // A resource that is no longer declared is removed once, before another takes its place.
        let removes =
            is_certain(nodes, node, &Action::Remove) && is_final(nodes, node) && !nodes.is_left(node);
        for claim in &nodes.claims[node as usize].holds {
            let holders = holders.entry(claim).or_default();
            let mut report = |other: Option<NodeIndex>, diagnostic: Conflict| {
                let Some(other) = other.filter(|other| are_two(nodes, *other, node)) else { return };
                if reported.insert((nodes.entry(other).resource, nodes.entry(node).resource)) {
                    found.push(diagnostic(nodes, other, node, claim));
                }
            };
            if converges {
                report(Some(*holders.converges.get_or_insert(node)), twice);
            }
            if stays {
                holders.stays.get_or_insert(node);
                report(holders.removes, |nodes, other, node, claim| undone(nodes, node, other, claim));
            }
            if removes {
                holders.removes.get_or_insert(node);
                report(holders.stays, undone);
            }
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.place.map(|place| (place.source, place.start)));
    found
}

/// The diagnostic for two nodes that hold one thing.
type Conflict = fn(&Nodes<'_>, NodeIndex, NodeIndex, &Claim) -> Diagnostic;

fn twice(nodes: &Nodes<'_>, first: NodeIndex, second: NodeIndex, claim: &Claim) -> Diagnostic {
    let what = nodes.hidden.shown(claim);
    let detail = format!("{} and {} both manage {what}", nodes.id(first), nodes.id(second));
    let diagnostic = Diagnostic::new(Code::ManagedTwice, detail);
    let places = [first, second].map(|node| declared_at(nodes, node));
    if places[0].is_some() && places[0] == places[1] {
        let fix = "it is one block of several instances: use `each.key` or a param of the module in its name, or declare it \
                   once, outside";
        return diagnostic.at(places[1]).fix(fix);
    }
    at_both(nodes, diagnostic, second, (first, "also managed here")).fix(with_kind_hint(
        nodes,
        [first, second],
        claim,
        "remove one of the two blocks, and set its properties in the other one",
    ))
}

fn undone(nodes: &Nodes<'_>, holder: NodeIndex, remover: NodeIndex, claim: &Claim) -> Diagnostic {
    let what = nodes.hidden.shown(claim);
    let detail = format!("{} removes {what}, which {} declares", nodes.id(remover), nodes.id(holder));
    let diagnostic = Diagnostic::new(Code::DeclaredAndRemoved, detail);
    at_both(nodes, diagnostic, remover, (holder, "declared here")).fix(with_kind_hint(
        nodes,
        [holder, remover],
        claim,
        "keep one of them, or let a condition decide between them",
    ))
}

/// A fix, with the hint for the author of the kind if both resources are of one kind and the claim is a path.
fn with_kind_hint(nodes: &Nodes<'_>, [one, other]: [NodeIndex; 2], claim: &Claim, fix: &str) -> String {
    let is_one_kind = nodes.id(one).kind == nodes.id(other).kind && matches!(claim, Claim::Path(_));
    match nodes.claims[one as usize].held_twice_hint.filter(|_| is_one_kind) {
        Some(hint) => format!("{fix}; {hint}"),
        None => fix.to_owned(),
    }
}

/// A resource that declares all content of a path, and one that changes a part of it, would undo each other's changes in
/// every run.
pub(super) fn whole_and_edited(nodes: &Nodes<'_>, edited: &EditedPaths<'_>) -> Vec<Diagnostic> {
    let converges = |node: NodeIndex| is_certain(nodes, node, &Action::Converge) && is_final(nodes, node);
    let (mut found, mut checked) = (Vec::new(), FxHashSet::default());
    for (whole, claims) in (0..).zip(nodes.claims).filter(|(_, claims)| claims.whole_content) {
        // Resources that declare one path twice are reported as such.
        for claim in &claims.holds {
            let Some(editors) = edited.get(claim).filter(|_| converges(whole)) else { continue };
            if !checked.insert(claim) {
                continue;
            }
            let editors = editors.iter().copied();
            let puts = |editor: NodeIndex| nodes.claims[editor as usize].puts_parts && converges(editor);
            let editors = editors.filter(|editor| are_two(nodes, whole, *editor) && puts(*editor));
            found.extend(editors.map(|editor| overwritten(nodes, whole, editor, claim)));
        }
    }
    found
}

fn overwritten(nodes: &Nodes<'_>, whole: NodeIndex, editor: NodeIndex, what: &Claim) -> Diagnostic {
    let (whole_id, editor_id) = (nodes.id(whole), nodes.id(editor));
    let what = nodes.hidden.shown(what);
    let detail = format!("{editor_id} changes a part of {what}, and {whole_id} declares all content of it");
    let diagnostic = Diagnostic::new(Code::EditedAndWhole, detail);
    at_both(nodes, diagnostic, editor, (whole, "all content declared here"))
        .fix("put the part into the whole content, or declare only the parts")
}

/// A declared resource cannot depend on one that is removed.
pub(super) fn depends_on_removed(
    nodes: &Nodes<'_>,
    providers: &[NodeIndex],
    needer: NodeIndex,
    claim: &Claim,
) -> Option<Diagnostic> {
    let last = *providers.last()?;
    let conflict = matches!(claim, Claim::Path(_))
        && is_certain(nodes, needer, &Action::Converge)
        && providers.iter().all(|provider| is_certain(nodes, *provider, &Action::Remove))
        && !providers.iter().any(|provider| comes_with(nodes, *provider, claim))
        && are_two(nodes, last, needer);
    conflict.then(|| {
        let claim = nodes.hidden.shown(claim);
        let detail = format!("{} needs {claim}, which {} removes", nodes.id(needer), nodes.id(last));
        let diagnostic = Diagnostic::new(Code::DependsOnRemoved, detail);
        at_both(nodes, diagnostic, needer, (last, "removed here")).fix("remove both, or neither")
    })
}

/// Puts a diagnostic where a node's resource is declared, and names the place of another one.
fn at_both(
    nodes: &Nodes<'_>,
    diagnostic: Diagnostic,
    node: NodeIndex,
    (other, label): (NodeIndex, &str),
) -> Diagnostic {
    also_at(diagnostic.at(declared_at(nodes, node)), declared_at(nodes, other), label)
}

fn declared_at(nodes: &Nodes<'_>, node: NodeIndex) -> Option<Place> {
    nodes.set.entry(nodes.entry(node).resource).declaration.place
}

/// Whether a path comes with the resource of this node, as with a package. It need not be removed with it.
pub(super) fn comes_with(nodes: &Nodes<'_>, provider: NodeIndex, claim: &Claim) -> bool {
    matches!(claim, Claim::Path(_)) && !nodes.claims[provider as usize].holds.contains(claim)
}

/// Whether the node does this, and no condition keeps it from doing so.
fn is_certain(nodes: &Nodes<'_>, node: NodeIndex, action: &Action) -> bool {
    nodes.entry(node).action() == action && nodes.conditions[node as usize] == Truth::True
}

/// Whether no later action of its resource undoes what a node does, and no guard decides about it.
fn is_final(nodes: &Nodes<'_>, node: NodeIndex) -> bool {
    let entry = nodes.entry(node);
    let is_verb = |node: &NodeIndex| matches!(nodes.entry(*node).action(), Action::Verb(_));
    let of_resource = &nodes.of_resource[entry.resource];
    let is_last = of_resource.iter().rfind(|node| !is_verb(node)) == Some(&node);
    let depends = |handling: &Handling| handling.audit || !handling.guards.is_empty();
    let groups = &nodes.list.groups;
    let mut around = groups.around(entry.group).filter_map(|group| groups.get(group).handling.as_deref());
    is_last
        && !nodes.set.entry(entry.resource).handling().is_some_and(depends)
        && !around.any(|handling| depends(handling) || !handling.subscribes.is_empty())
}

/// Whether these are nodes of different resources.
fn are_two(nodes: &Nodes<'_>, a: NodeIndex, b: NodeIndex) -> bool {
    nodes.entry(a).resource != nodes.entry(b).resource
}
