//! What is known, drawn.

mod body;
mod details;
mod foot;
#[cfg(test)]
mod gallery;
mod head;
mod help;
mod log;
mod picture;
mod resources;
mod row;
mod rule;
mod sheet;
mod troubles;

pub(crate) use picture::{Ending, Picture, draw};
