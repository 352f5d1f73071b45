//! The graph of a program as text in the formats that tools draw, and as a picture.

mod arrangement;
mod canvas;
mod colour;
mod dot;
mod label;
mod layers;
mod mermaid;
mod ordering;
mod packing;
mod placement;
mod subject;
mod svg;

pub(crate) use dot::Dot;
pub(crate) use mermaid::Mermaid;
pub(crate) use subject::Drawing;
pub(crate) use svg::Svg;
