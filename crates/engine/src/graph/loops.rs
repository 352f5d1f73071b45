//! Loops: finding one, and giving up edges of lower priority that lie on loops.

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex};

/// A loop, if there is one: its edges in order, the last leading back to the first.
///
/// # Flow
/// Nodes that cannot be ordered lie on loops or behind them: a walk backwards from any of them comes to a node twice.
pub(super) fn find(graph: &Graph) -> Option<Vec<&Edge>> {
    let mut left = vec![true; graph.incoming.len()];
    graph.topological().into_iter().for_each(|node| left[node as usize] = false);
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

fn last_edge_into<'a>(graph: &'a Graph, left: &[bool]) -> Vec<Option<&'a Edge>> {
    let mut into = vec![None; left.len()];
    for edge in &graph.edges {
        if left[edge.before as usize] && left[edge.after as usize] {
            into[edge.after as usize] = Some(edge);
        }
    }
    into
}

/// The graph without those edges that `gives_way` accepts and that lie on a loop.
pub(crate) fn without_loops(graph: Graph, gives_way: impl Fn(&Edge) -> bool) -> Graph {
    let component = Search::new(&graph).components();
    let same = |edge: &Edge| component[edge.before as usize] == component[edge.after as usize];
    graph.without(|edge| gives_way(edge) && same(edge))
}

/// Tarjan's search for strongly connected components, without recursion: a graph may be deep.
struct Search<'a> {
    graph: &'a Graph,
    /// The order in which nodes were met, from one; zero: not yet.
    met: Vec<u32>,
    /// The earliest node that can be reached from it.
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<NodeIndex>,
    next: u32,
    components: u32,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        let nodes = graph.incoming.len();
        let zeros = || vec![0; nodes];
        let (met, low, component) = (zeros(), zeros(), zeros());
        Self { graph, met, low, component, stack: Vec::new(), next: 0, components: 0 }
    }

    /// The number of the component of each node, from one.
    fn components(mut self) -> Vec<u32> {
        for node in 0..self.met.len() {
            if self.met[node] == 0 {
                self.walk(NodeIndex::try_from(node).expect("fewer than 2^32 nodes"));
            }
        }
        self.component
    }

    fn walk(&mut self, from: NodeIndex) {
        let mut path = vec![(from, 0)];
        self.meet(from);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            let Some(next) = self.graph.after(node).get(*edge).map(|edge| edge.after) else {
                self.leave(node);
                path.pop();
                if let Some((before, _)) = path.last() {
                    let low = self.low[node as usize];
                    self.lower(*before, low);
                }
                continue;
            };
            *edge += 1;
            if self.met[next as usize] == 0 {
                self.meet(next);
                path.push((next, 0));
            } else if self.component[next as usize] == 0 {
                self.lower(node, self.met[next as usize]);
            }
        }
    }

    fn meet(&mut self, node: NodeIndex) {
        self.next += 1;
        self.met[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.stack.push(node);
    }

    fn lower(&mut self, node: NodeIndex, low: u32) {
        let own = &mut self.low[node as usize];
        *own = low.min(*own);
    }

    /// A node from which nothing earlier can be reached closes its component.
    fn leave(&mut self, node: NodeIndex) {
        if self.low[node as usize] != self.met[node as usize] {
            return;
        }
        self.components += 1;
        while let Some(member) = self.stack.pop() {
            self.component[member as usize] = self.components;
            if member == node {
                break;
            }
        }
    }
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
