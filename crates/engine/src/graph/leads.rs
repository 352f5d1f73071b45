//! Who makes use of something comes after those who prepare it.

use rustc_hash::FxHashMap;
use uphold_model::{Claim, Place};

use super::adjacency::Graph;
use super::component;
use super::draft::Draft;
use super::edge::{Edge, NodeIndex, Reason};
use super::passes::Nodes;

/// Those who prepare one thing, and those who make use of it.
#[derive(Default)]
struct Queue {
    leaders: Vec<NodeIndex>,
    followers: Vec<(NodeIndex, Option<Place>)>,
}

/// Adds the edges; many and many meet at a gate.
pub(super) fn join(nodes: &Nodes<'_>, draft: &mut Draft) {
    let mut queues: Vec<(&Claim, Queue)> = Vec::new();
    let mut places: FxHashMap<&Claim, usize> = FxHashMap::default();
    let mut queue_of = |claim| {
        let place = *places.entry(claim).or_insert(queues.len());
        if place == queues.len() {
            queues.push((claim, Queue::default()));
        }
        place
    };
    let mut found = Vec::new();
    for (node, claims) in (0..).zip(nodes.claims) {
        found.extend(claims.leads.iter().map(|claim| (queue_of(claim), node, true)));
        found.extend(claims.follows.iter().map(|claim| (queue_of(claim), node, false)));
    }
    for (place, node, leads) in found {
        let queue = &mut queues[place].1;
        match leads {
            true => queue.leaders.push(node),
            false => queue.followers.push((node, None)),
        }
    }
    for (claim, queue) in queues {
        draft.join(&queue.leaders, &queue.followers, &Reason::Follows(nodes.shown(claim)));
    }
}

/// The graph in which nobody who has to come earlier waits for those who prepare something. Others still do.
pub(super) fn give_way(nodes: &Nodes<'_>, graph: Graph) -> Graph {
    let is_node = |node: NodeIndex| (node as usize) < nodes.list.all().len();
    component::without_loops(graph, |edge: &Edge| edge.is_follow() && is_node(edge.after))
}
