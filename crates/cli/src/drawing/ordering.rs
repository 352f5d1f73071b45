//! In which order the cells of each column stand, so that few edges cross.

use super::layers::Neighbours;

/// How often the columns are sorted, there and back. More changes little.
const ROUNDS: usize = 12;

/// Columns of cells. A cell is a node, or the spot where a long edge passes through a column.
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
    /// The cells of nodes in these columns. At most `spots` cells are made for long edges; what is
    /// beyond that runs straight, behind whatever stands there.
    pub(super) fn new(column_of: &[usize], edges: &[(usize, usize)], spots: usize) -> Self {
        let mut column_of = column_of.to_vec();
        let limit = column_of.len() + spots;
        let chains: Vec<Vec<usize>> = edges.iter().map(|&edge| chain(edge, &mut column_of, limit)).collect();
        let mut columns = vec![Vec::new(); column_of.iter().max().map_or(0, |last| last + 1)];
        column_of.iter().enumerate().for_each(|(cell, column)| columns[*column].push(cell));
        let links = chains.iter().flat_map(|chain| chain.windows(2)).map(|pair| (pair[0], pair[1]));
        let links = links.filter(|&(from, to)| column_of[from] + 1 == column_of[to]);
        let right = Neighbours::new(column_of.len(), links.clone());
        let left = Neighbours::new(column_of.len(), links.map(|(from, to)| (to, from)));
        Self { columns, column_of, chains, left, right }
    }

    /// Sorts each column by where the neighbours stand on average.
    pub(super) fn sort(&mut self) {
        let mut rank = vec![0.0; self.column_of.len()];
        self.columns.iter().for_each(|cells| number(cells, &mut rank));
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

/// The cells of one edge; new ones for the columns between its ends.
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
    number(cells, rank);
}

/// The average rank of the neighbours; a cell without any stays about where it is.
fn key(cell: usize, neighbours: &Neighbours, rank: &[f64]) -> f64 {
    let near = neighbours.of(cell);
    if near.is_empty() {
        return rank[cell];
    }
    near.iter().map(|cell| rank[*cell]).sum::<f64>() / near.len() as f64
}

/// Ranks from 0 to 1, so that columns of different length compare.
fn number(cells: &[usize], rank: &mut [f64]) {
    for (place, cell) in cells.iter().enumerate() {
        rank[*cell] = (place as f64 + 0.5) / cells.len() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::layers::columns;

    fn grid(nodes: usize, edges: &[(usize, usize)], spots: usize) -> Grid {
        let mut grid = Grid::new(&columns(nodes, edges), edges, spots);
        grid.sort();
        grid
    }

    #[test]
    fn crossings_are_untied() {
        let crossed = grid(4, &[(0, 3), (1, 2)], 0);
        let place = |cell| crossed.columns.iter().find_map(|cells| cells.iter().position(|c| *c == cell));
        assert_eq!(place(0).cmp(&place(1)), place(3).cmp(&place(2)));
    }

    #[test]
    fn long_edges_pass_through_cells_of_their_own() {
        let edges = [(0, 1), (1, 2), (0, 2)];
        assert_eq!(grid(3, &edges, 9).chains[2], [0, 3, 2]);
        assert_eq!(grid(3, &edges, 0).chains[2], [0, 2]);
    }
}
