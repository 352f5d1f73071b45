//! Kinds that are external programs: any program that reads and writes JSON.
//!
//! A manifest in the format of Microsoft DSC v3 (`NAME.dsc.resource.json`) names the programs that get, test, set and
//! delete a resource, and describes its properties. [`read_manifests`] reads such files, and [`define`] turns them into
//! kinds, which are used like any other. `docs/external.md` explains how to write one, and which parts of DSC are
//! supported.

mod comparison;
mod document;
mod json;
mod kind;
mod manifest;
mod program;
mod schema;

pub use document::Fault;
pub use kind::{DefinedKind, KindDefinition, PrintedKind, define};
pub use manifest::{Manifest, is_manifest, manifest_kind, read_manifests};
