//! Draws the screen.

mod body;
mod details;
mod foot;
mod head;
mod log;
mod overlay;
mod picture;
mod problems;
mod resources;
mod row;
mod rule;
#[cfg(test)]
mod screen_tests;

pub(crate) use picture::{Ending, Picture, draw};
