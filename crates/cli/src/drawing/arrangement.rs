//! Where every box stands and how every edge runs.
//!
//! Flow: parts that hang together → columns → order in the columns → heights → parts on a sheet.
//! Every step costs time nearly linear in nodes and edges, and none calls itself.

use super::layers::columns;
use super::ordering::Grid;
use super::packing::{pack, parts};
use super::placement::{BOX_HEIGHT, heights};

/// Space between columns, where the edges bend.
const COLUMN_GAP: f64 = 72.0;

/// Space between parts.
const PART_GAP: f64 = 36.0;

/// How many cells long edges may take, for each node and edge: enough for real configurations, and
/// a limit for those where everything depends on everything.
const SPOTS_EACH: usize = 8;

/// A point on the sheet.
pub(super) type Point = (f64, f64);

/// Where everything is.
#[derive(Debug, Default)]
pub(super) struct Arrangement {
    /// The upper left corner of each box.
    pub(super) corners: Vec<Point>,
    /// The points of each edge: by turns a straight line and a bend.
    pub(super) routes: Vec<Vec<Point>>,
    /// Width and height of the sheet.
    pub(super) size: Point,
}

/// Boxes and edges of one part, by their numbers in the whole graph.
struct Part {
    nodes: Vec<usize>,
    edges: Vec<usize>,
    size: Point,
}

impl Arrangement {
    /// Arranges boxes of these widths. Edges must make no loop.
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
        let (spots, size) = pack(&sizes, PART_GAP);
        parts.iter().zip(spots).for_each(|(part, spot)| whole.shift(part, spot));
        Self { size, ..whole }
    }

    /// Arranges one part, at the corner of the sheet.
    fn arrange(&mut self, part: &mut Part, widths: &[f64], edges: &[(usize, usize)], local: &mut [usize]) {
        part.nodes.iter().enumerate().for_each(|(number, node)| local[*node] = number);
        let inner: Vec<(usize, usize)> =
            part.edges.iter().map(|&edge| (local[edges[edge].0], local[edges[edge].1])).collect();
        let count = part.nodes.len();
        let mut grid = Grid::new(&columns(count, &inner), &inner, SPOTS_EACH * (count + inner.len()));
        grid.sort();
        let middle = heights(&grid, count);
        let width = |cell: usize| part.nodes.get(cell).map_or(0.0, |node| widths[*node]);
        let rims = rims(&grid, width);
        for (number, &node) in part.nodes.iter().enumerate() {
            self.corners[node] = (rims[grid.column_of[number]].0, middle[number] - BOX_HEIGHT / 2.0);
        }
        for (chain, &edge) in grid.chains.iter().zip(&part.edges) {
            let start = (rims[grid.column_of[chain[0]]].0 + width(chain[0]), middle[chain[0]]);
            self.routes[edge] = route(chain, start, &|cell| (rims[grid.column_of[cell]], middle[cell]));
        }
        let right = rims.last().map_or(0.0, |rim| rim.1);
        part.size = (right, self.straighten(part, &middle));
    }

    /// The height of a part, all of it below the upper rim: an edge may run above every box.
    fn straighten(&mut self, part: &Part, middle: &[f64]) -> f64 {
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

fn split(nodes: usize, edges: &[(usize, usize)]) -> Vec<Part> {
    let mut part_of = vec![0; nodes];
    let mut all: Vec<Part> = Vec::new();
    for (number, nodes) in parts(nodes, edges).into_iter().enumerate() {
        nodes.iter().for_each(|node| part_of[*node] = number);
        all.push(Part { nodes, edges: Vec::new(), size: (0.0, 0.0) });
    }
    for (edge, &(from, _)) in edges.iter().enumerate() {
        all[part_of[from]].edges.push(edge);
    }
    all
}

/// The left and right rim of each column.
fn rims(grid: &Grid, width: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut left = 0.0;
    let rim = |cells: &Vec<usize>| {
        let rim = (left, left + cells.iter().map(|cell| width(*cell)).fold(0.0, f64::max));
        left = rim.1 + COLUMN_GAP;
        rim
    };
    grid.columns.iter().map(rim).collect()
}

/// Straight out of the box to the rim of its column, a bend to the next, and so on.
fn route(chain: &[usize], start: Point, cell: &dyn Fn(usize) -> ((f64, f64), f64)) -> Vec<Point> {
    let mut points = vec![start, (cell(chain[0]).0.1, start.1)];
    for (place, &passed) in chain.iter().enumerate().skip(1) {
        let ((left, right), middle) = cell(passed);
        points.push((left, middle));
        if place + 1 < chain.len() {
            points.push((right, middle));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_leaves_one_box_and_enters_the_other() {
        let arrangement = Arrangement::new(&[100.0, 50.0], &[(0, 1)]);
        assert_eq!(arrangement.corners, [(0.0, 0.0), (172.0, 0.0)]);
        assert_eq!(arrangement.routes, [[(100.0, 20.0), (100.0, 20.0), (172.0, 20.0)]]);
        assert_eq!(arrangement.size, (222.0, 40.0));
    }

    #[test]
    fn no_two_boxes_overlap() {
        // Every node stands on its half and on the first: wide, deep, and with long edges.
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
}
