//! The outline of a text, for editors: it also describes positions in unfinished text.

mod contents;
mod frame;
mod scan;
mod spot;
mod spot_scan;

pub use contents::{Outline, OutlineAttribute, OutlineBlock, PathStep, Word, outline};
pub use spot::{Expected, Spot, SpotBlock, spot};
