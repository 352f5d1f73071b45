//! The outline of a text: for editors, which ask about places in a text that is being written.

mod contents;
mod frame;
mod scan;
mod spot;
mod spot_scan;
mod uses;

pub use contents::{Outline, OutlineAttribute, OutlineBlock, PathStep, Word, outline};
pub use spot::{Expected, Spot, SpotBlock, spot};
