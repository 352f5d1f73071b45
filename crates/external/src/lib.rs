//! Kinds that are somebody else's programs: any program that speaks JSON.
//!
//! A manifest in the format of Microsoft DSC v3 (`NAME.dsc.resource.json`) says which program gets, tests, sets and
//! deletes a resource, and what its properties are. [`read_manifests`] reads such files, and [`define`] makes kinds of
//! them, which are kinds like any other. `docs/external.md` tells how to write one, and what of DSC is understood.

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
