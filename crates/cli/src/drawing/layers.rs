//! Which column each node stands in.

/// The column of each node: one more than the last of what comes before it, so that every edge
/// goes to the right. What nothing comes before stands next to the first that needs it. Edges must
/// make no loop. Costs time linear in nodes and edges.
pub(super) fn columns(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let after = Neighbours::new(nodes, edges.iter().copied());
    let mut waiting = vec![0_usize; nodes];
    edges.iter().for_each(|&(_, to)| waiting[to] += 1);
    let is_first: Vec<bool> = waiting.iter().map(|count| *count == 0).collect();
    let mut ready: Vec<usize> = (0..nodes).filter(|node| is_first[*node]).collect();
    let mut columns = vec![0; nodes];
    while let Some(node) = ready.pop() {
        for &next in after.of(node) {
            columns[next] = columns[next].max(columns[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    for node in (0..nodes).filter(|node| is_first[*node]) {
        let nearest = after.of(node).iter().map(|next| columns[*next]).min();
        columns[node] = nearest.map_or(0, |column| column - 1);
    }
    columns
}

/// For each node its neighbours on one side, all in one list.
#[derive(Debug)]
pub(super) struct Neighbours {
    starts: Vec<usize>,
    list: Vec<usize>,
}

impl Neighbours {
    /// From `(node, neighbour)` pairs.
    pub(super) fn new(nodes: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        pairs.clone().for_each(|(node, _)| starts[node + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut list = vec![0; starts[nodes]];
        for (node, neighbour) in pairs {
            list[free[node]] = neighbour;
            free[node] += 1;
        }
        Self { starts, list }
    }

    /// The neighbours of `node`, in the order in which they came.
    pub(super) fn of(&self, node: usize) -> &[usize] {
        &self.list[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn edges_go_to_the_right() {
        let check = |nodes, edges: &[(usize, usize)], expected: &[usize]| {
            assert_eq!(columns(nodes, edges), expected, "{edges:?}");
        };
        check(0, &[], &[]);
        check(2, &[], &[0, 0]);
        check(3, &[(0, 1), (1, 2), (0, 2)], &[0, 1, 2]);
        // The second start stands right before what needs it, not at the far left.
        check(4, &[(0, 1), (1, 2), (3, 2)], &[0, 1, 2, 1]);
        check(3, &[(2, 1), (1, 0)], &[2, 1, 0]);
    }
}
