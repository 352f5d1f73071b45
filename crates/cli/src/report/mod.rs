//! Readers of the engine's stream of events.

mod heading;
mod human;
mod json;
mod json_line;
mod progress;
mod property;
mod reporter;
mod summary;
mod text_diff;
mod wire;

pub(crate) use human::{Human, show_error};
pub(crate) use json::Json;
pub(crate) use reporter::{Report, Scene};
