//! Kinds whose resources an external program loads and changes.

mod changing;
mod definition;
mod from_manifest;
mod kind_cache;
mod looking;
mod printed_kind;
mod program_files;

pub use from_manifest::{DefinedKind, KindDefinition, define};
pub use printed_kind::PrintedKind;
