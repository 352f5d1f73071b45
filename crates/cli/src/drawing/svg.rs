//! SVG.

use std::fmt::{self, Write};

use uphold_wire::GraphEdge;

use super::arrangement::{Arrangement, Point};
use super::graph::{Graph, Node};
use super::label::{NAME_LENGTH, escape_xml, shorten, width};
use super::placement::BOX_HEIGHT;
use super::text_formats::{ARROW, TEXT, colour};

const MARGIN: f64 = 16.0;
const PADDING: f64 = 10.0;
const KIND_SIZE: f64 = 10.5;
const NAME_SIZE: f64 = 12.0;

/// The length of the arrow head, whose tip touches the box.
const HEAD: f64 = 7.0;

/// A graph as an image, readable on light and dark backgrounds.
pub(crate) struct Svg<'a>(pub(crate) &'a Graph);

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Graph { nodes, edges } = self.0;
        let widths: Vec<f64> = nodes.iter().map(box_width).collect();
        let ends: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.before, edge.after)).collect();
        let arrangement = Arrangement::new(&widths, &ends);
        head(f, arrangement.size, self.0.kinds())?;
        for (edge, route) in edges.iter().zip(&arrangement.routes) {
            arrow(f, edge, nodes, route)?;
        }
        for (number, node) in nodes.iter().enumerate() {
            node_box(f, node, arrangement.corners[number], widths[number])?;
        }
        f.write_str("</g>\n</svg>\n")
    }
}

/// The first line of a box.
fn caption(node: &Node) -> String {
    match node.special_action() {
        None => node.wire.kind.clone(),
        Some(action) => format!("{} · {action}", node.wire.kind),
    }
}

fn box_width(node: &Node) -> f64 {
    let name = width(&shorten(&node.name, NAME_LENGTH), NAME_SIZE);
    (width(&caption(node), KIND_SIZE).max(name) + 2.0 * PADDING).ceil()
}

fn head(f: &mut fmt::Formatter<'_>, size: Point, kinds: usize) -> fmt::Result {
    let (width, height) = ((size.0 + 2.0 * MARGIN).ceil(), (size.1 + 2.0 * MARGIN).ceil());
    writeln!(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, DejaVu Sans Mono, monospace\">"
    )?;
    writeln!(f, "<style>")?;
    writeln!(f, ".e {{ fill: none; stroke: {ARROW}; stroke-width: 1.4; }}")?;
    writeln!(f, ".e:hover {{ stroke-width: 4; }}")?;
    writeln!(f, ".k {{ font-size: {KIND_SIZE}px; font-weight: bold; }}")?;
    writeln!(f, ".n {{ font-size: {NAME_SIZE}px; fill: {TEXT}; }}")?;
    for number in 0..kinds {
        let colour = colour(number);
        writeln!(f, ".b{number} {{ fill: {}; stroke: {}; }}", colour.fill, colour.line)?;
        writeln!(f, ".t{number} {{ fill: {}; }}", colour.line)?;
    }
    writeln!(f, "</style>")?;
    writeln!(
        f,
        "<defs><marker id=\"head\" viewBox=\"0 0 7 8\" refX=\"0\" refY=\"4\" markerWidth=\"{HEAD}\" \
         markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path d=\"M0 0.5 L7 4 L0 7.5 Z\" fill=\"{ARROW}\"/></marker></defs>"
    )?;
    writeln!(f, "<g transform=\"translate({MARGIN} {MARGIN})\">")
}

fn arrow(f: &mut fmt::Formatter<'_>, edge: &GraphEdge, nodes: &[Node], route: &[Point]) -> fmt::Result {
    let id = |node: usize| escape_xml(&nodes[node].wire.resource);
    write!(f, "<path class=\"e\" marker-end=\"url(#head)\" d=\"{}\">", path(route))?;
    writeln!(
        f,
        "<title>{} → {}: {}</title></path>",
        id(edge.before),
        id(edge.after),
        escape_xml(&edge.reason)
    )
}

/// Alternates horizontal lines and curves with horizontal ends.
fn path(route: &[Point]) -> String {
    let mut text = String::new();
    let last = route.len() - 1;
    for (number, &(x, y)) in route.iter().enumerate() {
        let x = if number == last { x - HEAD } else { x };
        // Writing to a string never fails.
        let _ = match number {
            0 => write!(text, "M{x:.1} {y:.1}"),
            odd if odd % 2 == 1 => write!(text, "H{x:.1}"),
            _ => {
                let (from, level) = route[number - 1];
                let middle = f64::midpoint(from, x);
                write!(text, "C{middle:.1} {level:.1} {middle:.1} {y:.1} {x:.1} {y:.1}")
            }
        };
    }
    text
}

fn node_box(f: &mut fmt::Formatter<'_>, node: &Node, at: Point, width: f64) -> fmt::Result {
    let class = node.kind_number;
    let ((x, y), text) = (at, at.0 + PADDING);
    let (first, second) = (y + 16.0, y + 31.0);
    let name = shorten(&node.name, NAME_LENGTH);
    write!(f, "<g><title>{}", escape_xml(&node.wire.resource))?;
    node.special_action().into_iter().try_for_each(|action| write!(f, ": {}", escape_xml(action)))?;
    write!(f, "</title><rect class=\"b{class}\" x=\"{x:.1}\" y=\"{y:.1}\" ")?;
    write!(f, "width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"6\"/>")?;
    write!(
        f,
        "<text class=\"k t{class}\" x=\"{text:.1}\" y=\"{first:.1}\">{}</text>",
        escape_xml(&caption(node))
    )?;
    writeln!(f, "<text class=\"n\" x=\"{text:.1}\" y=\"{second:.1}\">{}</text></g>", escape_xml(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_names_and_reasons() {
        let drawing = Graph::of(
            &[("directory", "/etc", "converge"), ("file", "/etc/<b>", "remove")],
            &[(0, 1, "path \"/etc\" & more")],
        );
        let text = Svg(&drawing).to_string();
        for part in [
            ">file · remove</text>",
            ">/etc/&lt;b&gt;</text>",
            "directory[&quot;/etc&quot;] → file[&quot;/etc/&lt;b&gt;&quot;]: path &quot;/etc&quot; &amp; more",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("<b>"), "{text}");
    }

    #[test]
    fn draws_an_empty_graph() {
        assert!(Svg(&Graph::default()).to_string().contains("width=\"32\" height=\"32\""));
    }
}
