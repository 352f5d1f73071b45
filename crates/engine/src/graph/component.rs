//! Strongly connected components: where edges that only wish for an order are given up.

use super::adjacency::Graph;
use super::edge::{Edge, NodeIndex};

/// The graph without those edges that `gives_way` accepts and that lie on a loop.
pub(super) fn without_loops(graph: Graph, gives_way: impl Fn(&Edge) -> bool) -> Graph {
    let component = Search::new(&graph).components();
    let same = |edge: &Edge| component[edge.before as usize] == component[edge.after as usize];
    graph.without(|edge| gives_way(edge) && same(edge))
}

/// Tarjan's search, without recursion: a graph may be deep.
struct Search<'a> {
    graph: &'a Graph,
    /// When each node was met, from one; zero: not yet.
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
        let nodes = graph.incoming().len();
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
