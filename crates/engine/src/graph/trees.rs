//! A reader of a whole tree depends on those that change something inside the tree.

use std::path::Path;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Claim, Claims, Place};

use super::draft::Draft;
use super::edge::{NodeIndex, Reason};
use super::passes::Nodes;

/// A directory that is read with everything inside.
struct Tree<'a> {
    root: &'a Path,
    readers: Vec<(NodeIndex, Option<Place>)>,
    writers: Vec<NodeIndex>,
}

/// Adds the edges; many and many meet at a gate. What reads a tree itself, such as an archive inside the directory that
/// it is made of, is not among those that change the tree.
pub(super) fn before_readers(nodes: &Nodes<'_>, draft: &mut Draft) {
    let mut trees: Vec<Tree<'_>> = Vec::new();
    let mut places: FxHashMap<&Path, usize> = FxHashMap::default();
    for (node, claims) in (0..).zip(nodes.claims).filter(|(node, _)| reads(nodes, *node)) {
        for root in &claims.reads {
            let place = *places.entry(root).or_insert(trees.len());
            if place == trees.len() {
                trees.push(Tree { root, readers: Vec::new(), writers: Vec::new() });
            }
            trees[place].readers.push((node, None));
        }
    }
    if trees.is_empty() {
        return;
    }
    // What is done on request is never waited for.
    for (node, claims) in (0..).zip(nodes.claims).filter(|(node, _)| !nodes.list.is_on_request(*node)) {
        for path in changed(claims) {
            let around = path.ancestors().skip(1).filter_map(|above| places.get(above));
            for place in around {
                let Tree { root, writers, .. } = &mut trees[*place];
                let is_reader = claims.reads.iter().any(|read| read == root);
                if !is_reader && writers.last() != Some(&node) {
                    writers.push(node);
                }
            }
        }
    }
    for Tree { root, readers, writers } in trees {
        let claim = Claim::Path(root.to_owned());
        draft.join(&writers, &readers, &Reason::Inside(nodes.shown(&claim)));
    }
}

/// Whether a node reads what it claims to. A removal reads nothing, and a handler that runs at once cannot wait.
fn reads(nodes: &Nodes<'_>, node: NodeIndex) -> bool {
    *nodes.list.get(node as usize).action() != Action::Remove && !nodes.list.is_on_request(node)
}

/// The paths that a resource makes, removes or edits.
fn changed(claims: &Claims) -> impl Iterator<Item = &Path> {
    claims.provided().chain(&claims.edits).filter_map(|claim| match claim {
        Claim::Path(path) => Some(path.as_path()),
        _ => None,
    })
}
