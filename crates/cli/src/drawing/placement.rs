//! The vertical positions of cells: near their neighbours, and never overlapping.

use super::columns::{Grid, Neighbours};

/// How often all columns are placed, in both directions.
const ROUNDS: usize = 6;

/// The height of a box.
pub(super) const BOX_HEIGHT: f64 = 40.0;

/// The space between two cells of a column.
const GAP: f64 = 14.0;

/// The weight of a long edge's cell; the weight of a box is 1. Long edges should be straight.
const PASS_WEIGHT: f64 = 4.0;

/// The middle of each cell, relative to the top of the highest box. The first `nodes` cells are boxes.
pub(super) fn heights(grid: &Grid, nodes: usize) -> Vec<f64> {
    let mut middle = vec![0.0; grid.column_of.len()];
    for cells in &grid.columns {
        offsets(cells, nodes).into_iter().zip(cells).for_each(|(offset, cell)| middle[*cell] = offset);
    }
    for _ in 0..ROUNDS {
        for cells in &grid.columns {
            place(cells, nodes, &[&grid.left], &mut middle);
        }
        for cells in grid.columns.iter().rev() {
            place(cells, nodes, &[&grid.right], &mut middle);
        }
    }
    grid.columns.iter().for_each(|cells| place(cells, nodes, &[&grid.left, &grid.right], &mut middle));
    let top = (0..nodes).map(|node| middle[node] - BOX_HEIGHT / 2.0).fold(f64::INFINITY, f64::min);
    middle.iter_mut().for_each(|middle| *middle -= top);
    middle
}

/// Moves each cell as near as possible to the average of its neighbours.
fn place(cells: &[usize], nodes: usize, sides: &[&Neighbours], middle: &mut [f64]) {
    let offsets = offsets(cells, nodes);
    let ideal = |cell: usize| {
        let near = || sides.iter().flat_map(|side| &side[cell]).map(|cell| middle[*cell]);
        let count = near().count();
        if count == 0 { middle[cell] } else { near().sum::<f64>() / count as f64 }
    };
    let ideals = cells.iter().zip(&offsets).map(|(&cell, offset)| {
        let weight = if cell < nodes { 1.0 } else { PASS_WEIGHT };
        (ideal(cell) - offset, weight)
    });
    let placed = rising(ideals);
    placed.iter().zip(&offsets).zip(cells).for_each(|((x, offset), cell)| middle[*cell] = x + offset);
}

/// The positions of the cells of a column when they are as close as allowed.
fn offsets(cells: &[usize], nodes: usize) -> Vec<f64> {
    let half = |cell: usize| if cell < nodes { BOX_HEIGHT / 2.0 } else { 0.0 };
    let mut bottom = -GAP;
    let place = |&cell: &usize| {
        let middle = bottom + GAP + half(cell);
        bottom = middle + half(cell);
        middle
    };
    cells.iter().map(place).collect()
}

/// The non-decreasing sequence nearest to `ideals` by weighted squares: neighbours in the wrong order share their
/// average. Each number joins a pool once, so the cost is linear.
fn rising(ideals: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (value, weight) in ideals {
        let mut pool = (value, weight, 1);
        while let Some(&(above, heavy, count)) = pools.last().filter(|above| above.0 > pool.0) {
            pools.pop();
            let weight = heavy + pool.1;
            pool = ((above * heavy + pool.0 * pool.1) / weight, weight, count + pool.2);
        }
        pools.push(pool);
    }
    pools.iter().flat_map(|&(value, _, count)| std::iter::repeat_n(value, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_values_in_the_wrong_order() {
        let check = |wishes: &[f64], expected: &[f64]| {
            assert_eq!(rising(wishes.iter().map(|wish| (*wish, 1.0))), expected, "{wishes:?}");
        };
        check(&[], &[]);
        check(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
        check(&[3.0, 1.0, 5.0], &[2.0, 2.0, 5.0]);
        check(&[3.0, 2.0, 1.0], &[2.0, 2.0, 2.0]);
    }

    #[test]
    fn boxes_never_overlap() {
        // One node with nine dependents, which all want the same position.
        let edges: Vec<(usize, usize)> = (1..10).map(|to| (0, to)).collect();
        let grid = Grid::new(&crate::drawing::columns::columns(10, &edges), &edges, 0);
        let middle = heights(&grid, 10);
        for pair in grid.columns[1].windows(2) {
            assert!(middle[pair[1]] - middle[pair[0]] >= BOX_HEIGHT, "{middle:?}");
        }
        assert_eq!(middle[0], middle[grid.columns[1][4]], "node 0 is in the middle");
    }
}
