//! Manifests: the program of each operation, and its input.

mod adapting;
mod argument;
mod content;
mod list;
mod method;
mod naming;
mod reading;
mod version;
mod watched;

pub(crate) use argument::Argument;
pub use content::Manifest;
pub(crate) use content::SchemaSource;
pub use list::{is_manifest, manifest_kind, read_manifests};
pub(crate) use method::{Input, Method, Returns, SecurityContext};
pub(crate) use naming::{kind_names, snake_case};
pub(crate) use version::newest;
pub(crate) use watched::Watched;
