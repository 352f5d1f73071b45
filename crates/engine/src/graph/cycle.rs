//! Finding loops, and saying what they are made of.

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex};

/// A loop, if there is one: its edges in order, the last leading back to the first.
///
/// # Flow
/// Take away what nothing stands before, until nothing more can be taken. What is left lies on
/// loops or behind them; walking backwards from any of it must come to a node twice.
pub(crate) fn find(graph: &Graph) -> Option<Vec<&Edge>> {
    let left = peel(graph);
    let start = left.iter().position(|left| *left)?;
    let into: Vec<Option<&Edge>> = last_edge_into(graph, &left);
    let mut seen = vec![false; left.len()];
    let mut at = start;
    while !seen[at] {
        seen[at] = true;
        at = into[at].map_or(at, |edge| edge.before as usize);
    }
    let mut edges = Vec::new();
    let first = at;
    loop {
        let edge = into[at]?;
        edges.push(edge);
        at = edge.before as usize;
        if at == first {
            break;
        }
    }
    edges.reverse();
    // A loop begins at an action: no two gates are neighbours.
    if edges.first().is_some_and(|edge| graph.is_gate(edge.before)) {
        edges.rotate_left(1);
    }
    Some(edges)
}

/// Which nodes are left when everything that can be ordered is taken away.
fn peel(graph: &Graph) -> Vec<bool> {
    let mut incoming = graph.incoming().to_vec();
    let mut ready: Vec<NodeIndex> = (0..).zip(&incoming).filter(|(_, n)| **n == 0).map(|(i, _)| i).collect();
    let mut left = vec![true; incoming.len()];
    while let Some(node) = ready.pop() {
        left[node as usize] = false;
        for edge in graph.after(node) {
            let count = &mut incoming[edge.after as usize];
            *count -= 1;
            if *count == 0 {
                ready.push(edge.after);
            }
        }
    }
    left
}

fn last_edge_into<'a>(graph: &'a Graph, left: &[bool]) -> Vec<Option<&'a Edge>> {
    let mut into = vec![None; left.len()];
    for edge in graph.raw_edges() {
        if left[edge.before as usize] && left[edge.after as usize] {
            into[edge.after as usize] = Some(edge);
        }
    }
    into
}

#[cfg(test)]
mod tests {
    use super::super::edge::Reason;
    use super::*;

    fn check(nodes: usize, edges: &[(u32, u32)], expected: Option<&str>) {
        let edges = edges.iter().map(|&(before, after)| Edge::new(before, after, Reason::DependsOn, None));
        let graph = Graph::new(nodes, 0, edges.collect(), rustc_hash::FxHashMap::default());
        let found = find(&graph).map(|edges| {
            edges.iter().map(|edge| format!("{}>{}", edge.before, edge.after)).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn loops_are_found_and_only_loops() {
        check(3, &[(0, 1), (1, 2)], None);
        check(2, &[(0, 1), (1, 0)], Some("0>1 1>0"));
        check(1, &[(0, 0)], Some("0>0"));
        check(5, &[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)], Some("1>2 2>3 3>1"));
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let mut edges: Vec<(u32, u32)> = (0..200_000).map(|i| (i, i + 1)).collect();
        edges.push((200_000, 199_999));
        check(200_001, &edges, Some("199999>200000 200000>199999"));
    }
}
