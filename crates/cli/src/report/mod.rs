//! Readers of the engine's stream of events.

mod course;
mod finish;
mod heading;
mod human;
mod json;
mod json_line;
mod junit;
mod outcome;
mod progress;
mod property;
mod record;
mod report_file;
mod reporter;
mod reports;
mod slowest;
pub(crate) mod span;
mod summary;
mod text_diff;
mod trouble;
pub(crate) mod wire;

pub(crate) use course::Course;
pub(crate) use finish::Finish;
pub(crate) use human::{Human, To};
pub(crate) use json::Json;
pub(crate) use json_line::{Importance, JsonLine};
pub(crate) use junit::{escaped, escaped_text};
pub(crate) use record::Record;
pub(crate) use report_file::expect_writable;
pub(crate) use reporter::{Report, Scene};
pub(crate) use reports::Reports;
pub(crate) use text_diff::TextChange;
pub(crate) use trouble::show_error;
