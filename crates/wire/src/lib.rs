//! Every format that other programs read, as plain versioned structs.
//!
//! The engine's types may change at any time, these may not: each crate that writes or reads a format converts its own
//! types at its edge. `docs/decisions/0070-one-crate-for-wire-formats.md` says why.
//!
//! # Guarantees
//! - Secrets cannot be serialized: [`Value`] has no variant for them, and the conversion from the model hides them.
//! - A golden file for each format and version is written and read back byte by byte (`tests/golden`).

mod explained;
mod graph;
pub mod history;
mod marked;
mod object;
mod pause_list;
pub mod plan_document;
mod read_resource;
pub mod report;
pub mod saved_plan;
mod saved_value;
pub mod schema;
pub mod status;
pub mod stream;
pub mod test_report;
mod text;
mod value;
mod version;
mod via;

pub use graph::{Graph, GraphEdge, GraphNode};
pub use marked::{ConsoleValue, Marked, MarkedMembers};
pub use object::{
    Cause, Change, Diagnostic, Difference, Failure, LeftResource, Output, Pause, Place, Related, Resource,
    Skip, Summary, Unwanted, Verdict, Word, severity,
};
pub use pause_list::{ListedPause, PauseList};
pub use read_resource::ReadResource;
pub use saved_value::SavedValue;
pub use text::{document, line, visible};
pub use value::Value;
pub use version::Formatted;
pub use version::Version;
pub use version::{Format, ReadError, read};
