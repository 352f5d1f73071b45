//! The layout of a graph: positions of boxes and routes of edges.
//!
//! Steps: connected parts → columns → order in the columns → heights → parts on a sheet. Every step costs time nearly
//! linear in nodes and edges, and none is recursive.

use std::collections::BTreeMap;

use super::columns::{Grid, columns};
use super::placement::{BOX_HEIGHT, heights};

/// The space between columns, in which the edges bend.
const COLUMN_GAP: f64 = 72.0;

/// The space between parts.
const PART_GAP: f64 = 36.0;

/// The number of cells for long edges, per node and edge: enough for real configurations, and a limit for graphs in
/// which everything depends on everything.
const PASSES_EACH: usize = 8;

/// A point on the sheet.
pub(super) type Point = (f64, f64);

/// The layout.
#[derive(Debug, Default)]
pub(super) struct Arrangement {
    /// The upper left corner of each box.
    pub(super) corners: Vec<Point>,
    /// The points of each edge, alternately of a straight line and a curve.
    pub(super) routes: Vec<Vec<Point>>,
    /// Width and height of the sheet.
    pub(super) size: Point,
}

/// A connected part of the graph, by indices into the whole graph.
#[derive(Default)]
struct Part {
    nodes: Vec<usize>,
    edges: Vec<usize>,
    size: Point,
}

impl Arrangement {
    /// Arranges boxes of these widths. The graph must be acyclic.
    pub(super) fn new(widths: &[f64], edges: &[(usize, usize)]) -> Self {
        let mut whole = Self {
            corners: vec![(0.0, 0.0); widths.len()],
            routes: vec![Vec::new(); edges.len()],
            size: (0.0, 0.0),
        };
        let mut parts = split(widths.len(), edges);
        let mut local = vec![0; widths.len()];
        for part in &mut parts {
            whole.arrange(part, widths, edges, &mut local);
        }
        let sizes: Vec<Point> = parts.iter().map(|part| part.size).collect();
        let (corners, size) = pack(&sizes, PART_GAP);
        parts.iter().zip(corners).for_each(|(part, corner)| whole.shift(part, corner));
        Self { size, ..whole }
    }

    /// Arranges one part at the origin.
    fn arrange(&mut self, part: &mut Part, widths: &[f64], edges: &[(usize, usize)], local: &mut [usize]) {
        part.nodes.iter().enumerate().for_each(|(number, node)| local[*node] = number);
        let inner: Vec<(usize, usize)> =
            part.edges.iter().map(|&edge| (local[edges[edge].0], local[edges[edge].1])).collect();
        let count = part.nodes.len();
        let mut grid = Grid::new(&columns(count, &inner), &inner, PASSES_EACH * (count + inner.len()));
        grid.sort();
        let middle = heights(&grid, count);
        let width = |cell: usize| part.nodes.get(cell).map_or(0.0, |node| widths[*node]);
        let bounds = column_bounds(&grid, width);
        for (number, &node) in part.nodes.iter().enumerate() {
            self.corners[node] = (bounds[grid.column_of[number]].0, middle[number] - BOX_HEIGHT / 2.0);
        }
        for (chain, &edge) in grid.chains.iter().zip(&part.edges) {
            let start = (bounds[grid.column_of[chain[0]]].0 + width(chain[0]), middle[chain[0]]);
            self.routes[edge] = route(chain, start, &|cell| (bounds[grid.column_of[cell]], middle[cell]));
        }
        let right = bounds.last().map_or(0.0, |bounds| bounds.1);
        part.size = (right, self.shift_to_origin(part, &middle));
    }

    /// Shifts a part down to the origin, because an edge may run above every box; returns its height.
    fn shift_to_origin(&mut self, part: &Part, middle: &[f64]) -> f64 {
        let top = middle.iter().copied().fold(0.0, f64::min);
        self.shift(part, (0.0, -top));
        let bottom = part.nodes.iter().map(|node| self.corners[*node].1 + BOX_HEIGHT).fold(0.0, f64::max);
        middle.iter().map(|y| y - top).fold(bottom, f64::max)
    }

    fn shift(&mut self, part: &Part, by: Point) {
        for &node in &part.nodes {
            move_by(&mut self.corners[node], by);
        }
        for &edge in &part.edges {
            self.routes[edge].iter_mut().for_each(|point| move_by(point, by));
        }
    }
}

fn move_by(point: &mut Point, by: Point) {
    *point = (point.0 + by.0, point.1 + by.1);
}

/// The left and right bound of each column.
fn column_bounds(grid: &Grid, width: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut left = 0.0;
    let bounds = |cells: &Vec<usize>| {
        let bounds = (left, left + cells.iter().map(|cell| width(*cell)).fold(0.0, f64::max));
        left = bounds.1 + COLUMN_GAP;
        bounds
    };
    grid.columns.iter().map(bounds).collect()
}

/// A line from the box to the edge of its column, a curve to the next column, and so on.
fn route(chain: &[usize], start: Point, cell: &dyn Fn(usize) -> ((f64, f64), f64)) -> Vec<Point> {
    let mut points = vec![start, (cell(chain[0]).0.1, start.1)];
    for (index, &passed) in chain.iter().enumerate().skip(1) {
        let ((left, right), middle) = cell(passed);
        points.push((left, middle));
        if index + 1 < chain.len() {
            points.push((right, middle));
        }
    }
    points
}

/// The connected parts of a graph, in the order of their first nodes. Costs time nearly linear in nodes and edges
/// (union-find).
fn split(nodes: usize, edges: &[(usize, usize)]) -> Vec<Part> {
    let mut parent: Vec<usize> = (0..nodes).collect();
    for &(a, b) in edges {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
    for node in 0..nodes {
        parts.entry(root(&mut parent, node)).or_default().nodes.push(node);
    }
    for (edge, &(from, _)) in edges.iter().enumerate() {
        parts.entry(root(&mut parent, from)).or_default().edges.push(edge);
    }
    parts.into_values().collect()
}

/// The first node of the part; halves the path to it.
fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// The corners of rectangles of these sizes, placed in rows like words on a page, and the size of the sheet, which is a
/// little wider than high.
fn pack(sizes: &[Point], gap: f64) -> (Vec<Point>, Point) {
    let area: f64 = sizes.iter().map(|(width, height)| (width + gap) * (height + gap)).sum();
    let widest = sizes.iter().map(|(width, _)| *width).fold(0.0, f64::max);
    let limit = widest.max((area * 1.6).sqrt());
    let (mut x, mut y, mut row, mut sheet) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    let mut corners = Vec::with_capacity(sizes.len());
    for &(width, height) in sizes {
        if x > 0.0 && x + width > limit {
            (x, y, row) = (0.0, y + row + gap, 0.0);
        }
        corners.push((x, y));
        sheet = sheet.max(x + width);
        (x, row) = (x + width + gap, row.max(height));
    }
    (corners, (sheet, y + row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_an_edge_between_boxes() {
        let arrangement = Arrangement::new(&[100.0, 50.0], &[(0, 1)]);
        assert_eq!(arrangement.corners, [(0.0, 0.0), (172.0, 0.0)]);
        assert_eq!(arrangement.routes, [[(100.0, 20.0), (100.0, 20.0), (172.0, 20.0)]]);
        assert_eq!(arrangement.size, (222.0, 40.0));
    }

    #[test]
    fn no_two_boxes_overlap() {
        // Node n depends on node n/2 and on node 0: wide, deep, and with long edges.
        let nodes = 300;
        let edges: Vec<(usize, usize)> =
            (1..nodes).flat_map(|node| [(node / 2, node), (0, node)]).filter(|(a, b)| a != b).collect();
        let arrangement = Arrangement::new(&vec![80.0; nodes], &edges);
        let apart = |a: Point, b: Point| (a.0 - b.0).abs() >= 80.0 || (a.1 - b.1).abs() >= BOX_HEIGHT;
        for (number, a) in arrangement.corners.iter().enumerate() {
            assert!(a.0 >= 0.0 && a.1 >= 0.0 && a.0 + 80.0 <= arrangement.size.0, "{a:?}");
            assert!(arrangement.corners[..number].iter().all(|b| apart(*a, *b)), "{number} at {a:?}");
        }
    }

    #[test]
    fn finds_connected_parts() {
        let nodes: Vec<Vec<usize>> = split(5, &[(3, 1), (4, 3)]).into_iter().map(|part| part.nodes).collect();
        assert_eq!(nodes, [vec![0], vec![1, 3, 4], vec![2]]);
        assert!(split(0, &[]).is_empty());
    }

    #[test]
    fn packs_rectangles_in_rows() {
        let (corners, sheet) = pack(&[(10.0, 10.0); 4], 0.0);
        assert_eq!(corners, [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0), (10.0, 10.0)]);
        assert_eq!(sheet, (20.0, 20.0));
        assert_eq!(pack(&[], 5.0).1, (0.0, 0.0));
    }
}
