//! The dependency graph in several formats: Graphviz, Mermaid, SVG.

mod arrangement;
mod columns;
mod graph;
mod label;
mod placement;
mod svg;
mod text_formats;

pub(crate) use graph::Graph;
pub(crate) use svg::Svg;
pub(crate) use text_formats::{Dot, Mermaid};
