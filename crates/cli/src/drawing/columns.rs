//! The columns of a graph, and the order of their cells, chosen so that few edges cross.

/// How often the columns are sorted, in both directions. More rounds change little.
const ROUNDS: usize = 12;

/// The column of each node: one more than the last column of its dependencies, so that every edge goes to the right. A
/// node without dependencies is next to its first dependent. The graph must be acyclic. Costs time linear in nodes and
/// edges.
pub(super) fn columns(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let after = neighbours(nodes, edges.iter().copied());
    let mut waiting = vec![0_usize; nodes];
    edges.iter().for_each(|&(_, to)| waiting[to] += 1);
    let is_first: Vec<bool> = waiting.iter().map(|count| *count == 0).collect();
    let mut ready: Vec<usize> = (0..nodes).filter(|node| is_first[*node]).collect();
    let mut columns = vec![0; nodes];
    while let Some(node) = ready.pop() {
        for &next in &after[node] {
            columns[next] = columns[next].max(columns[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    for node in (0..nodes).filter(|node| is_first[*node]) {
        let nearest = after[node].iter().map(|next| columns[*next]).min();
        columns[node] = nearest.map_or(0, |column| column - 1);
    }
    columns
}

/// The neighbours of each node on one side.
pub(super) type Neighbours = Vec<Vec<usize>>;

/// From `(node, neighbour)` pairs.
fn neighbours(nodes: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Neighbours {
    let mut lists = vec![Vec::new(); nodes];
    pairs.for_each(|(node, neighbour)| lists[node].push(neighbour));
    lists
}

/// Columns of cells. A cell is a node, or a gap through which a long edge passes a column.
#[derive(Debug)]
pub(super) struct Grid {
    /// The cells of each column, from top to bottom.
    pub(super) columns: Vec<Vec<usize>>,
    /// The column of each cell; nodes come first, in their order.
    pub(super) column_of: Vec<usize>,
    /// The cells of each edge, from left to right.
    pub(super) chains: Vec<Vec<usize>>,
    /// Neighbours in the column to the left.
    pub(super) left: Neighbours,
    /// Neighbours in the column to the right.
    pub(super) right: Neighbours,
}

impl Grid {
    /// The cells of nodes in these columns. At most `passes` cells are added for long edges; further edges run straight,
    /// behind other boxes.
    pub(super) fn new(column_of: &[usize], edges: &[(usize, usize)], passes: usize) -> Self {
        let mut column_of = column_of.to_vec();
        let limit = column_of.len() + passes;
        let chains: Vec<Vec<usize>> = edges.iter().map(|&edge| chain(edge, &mut column_of, limit)).collect();
        let mut columns = vec![Vec::new(); column_of.iter().max().map_or(0, |last| last + 1)];
        column_of.iter().enumerate().for_each(|(cell, column)| columns[*column].push(cell));
        let links = chains.iter().flat_map(|chain| chain.windows(2)).map(|pair| (pair[0], pair[1]));
        let links = links.filter(|&(from, to)| column_of[from] + 1 == column_of[to]);
        let right = neighbours(column_of.len(), links.clone());
        let left = neighbours(column_of.len(), links.map(|(from, to)| (to, from)));
        Self { columns, column_of, chains, left, right }
    }

    /// Sorts each column by the average position of its neighbours.
    pub(super) fn sort(&mut self) {
        let mut rank = vec![0.0; self.column_of.len()];
        self.columns.iter().for_each(|cells| set_ranks(cells, &mut rank));
        for _ in 0..ROUNDS {
            for column in 0..self.columns.len() {
                sort_column(&mut self.columns[column], &self.left, &mut rank);
            }
            for column in (0..self.columns.len()).rev() {
                sort_column(&mut self.columns[column], &self.right, &mut rank);
            }
        }
    }
}

/// The cells of one edge, with new ones in the columns between its ends.
fn chain((from, to): (usize, usize), column_of: &mut Vec<usize>, limit: usize) -> Vec<usize> {
    let between = column_of[from] + 1..column_of[to];
    let mut chain = vec![from];
    if column_of.len() + between.len() <= limit {
        for column in between {
            chain.push(column_of.len());
            column_of.push(column);
        }
    }
    chain.push(to);
    chain
}

fn sort_column(cells: &mut [usize], neighbours: &Neighbours, rank: &mut [f64]) {
    let mut keyed: Vec<(f64, usize)> =
        cells.iter().map(|&cell| (key(cell, neighbours, rank), cell)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    cells.iter_mut().zip(keyed).for_each(|(cell, (_, sorted))| *cell = sorted);
    set_ranks(cells, rank);
}

/// The average rank of the neighbours; a cell without neighbours stays about where it is.
fn key(cell: usize, neighbours: &Neighbours, rank: &[f64]) -> f64 {
    let near = &neighbours[cell];
    if near.is_empty() {
        return rank[cell];
    }
    near.iter().map(|cell| rank[*cell]).sum::<f64>() / near.len() as f64
}

/// Sets ranks from 0 to 1, so that columns of different length can be compared.
fn set_ranks(cells: &[usize], rank: &mut [f64]) {
    for (place, cell) in cells.iter().enumerate() {
        rank[*cell] = (place as f64 + 0.5) / cells.len() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_to_the_right() {
        let check = |nodes, edges: &[(usize, usize)], expected: &[usize]| {
            assert_eq!(columns(nodes, edges), expected, "{edges:?}");
        };
        check(0, &[], &[]);
        check(2, &[], &[0, 0]);
        check(3, &[(0, 1), (1, 2), (0, 2)], &[0, 1, 2]);
        // Node 3 is right before its dependent, not at the far left.
        check(4, &[(0, 1), (1, 2), (3, 2)], &[0, 1, 2, 1]);
        check(3, &[(2, 1), (1, 0)], &[2, 1, 0]);
    }

    fn grid(nodes: usize, edges: &[(usize, usize)], passes: usize) -> Grid {
        let mut grid = Grid::new(&columns(nodes, edges), edges, passes);
        grid.sort();
        grid
    }

    #[test]
    fn removes_crossings() {
        let crossed = grid(4, &[(0, 3), (1, 2)], 0);
        let place = |cell| crossed.columns.iter().find_map(|cells| cells.iter().position(|c| *c == cell));
        assert_eq!(place(0).cmp(&place(1)), place(3).cmp(&place(2)));
    }

    #[test]
    fn long_edges_have_cells() {
        let edges = [(0, 1), (1, 2), (0, 2)];
        assert_eq!(grid(3, &edges, 9).chains[2], [0, 3, 2]);
        assert_eq!(grid(3, &edges, 0).chains[2], [0, 2]);
    }
}
