//! The parts of a graph that hang together, and how they share the sheet.

/// The parts of a graph: each a list of nodes in rising order, by their first nodes. Costs time
/// nearly linear in nodes and edges.
pub(super) fn parts(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..nodes).collect();
    for &(a, b) in edges {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut number = vec![usize::MAX; nodes];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for node in 0..nodes {
        let root = root(&mut parent, node);
        if number[root] == usize::MAX {
            number[root] = parts.len();
            parts.push(Vec::new());
        }
        parts[number[root]].push(node);
    }
    parts
}

/// The first node of the part; on the way the path is halved.
fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// Where blocks of these sizes stand, in rows like words on a page, and the size of the sheet.
/// The sheet is a little wider than high.
pub(super) fn pack(sizes: &[(f64, f64)], gap: f64) -> (Vec<(f64, f64)>, (f64, f64)) {
    let area: f64 = sizes.iter().map(|(width, height)| (width + gap) * (height + gap)).sum();
    let widest = sizes.iter().map(|(width, _)| *width).fold(0.0, f64::max);
    let limit = widest.max((area * 1.6).sqrt());
    let (mut x, mut y, mut row, mut sheet) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    let mut spots = Vec::with_capacity(sizes.len());
    for &(width, height) in sizes {
        if x > 0.0 && x + width > limit {
            (x, y, row) = (0.0, y + row + gap, 0.0);
        }
        spots.push((x, y));
        sheet = sheet.max(x + width);
        (x, row) = (x + width + gap, row.max(height));
    }
    (spots, (sheet, y + row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hang_together() {
        assert_eq!(parts(5, &[(3, 1), (4, 3)]), [vec![0], vec![1, 3, 4], vec![2]]);
        assert!(parts(0, &[]).is_empty());
    }

    #[test]
    fn blocks_stand_in_rows() {
        let (spots, sheet) = pack(&[(10.0, 10.0); 4], 0.0);
        assert_eq!(spots, [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0), (10.0, 10.0)]);
        assert_eq!(sheet, (20.0, 20.0));
        assert_eq!(pack(&[], 5.0).1, (0.0, 0.0));
    }
}
