//! Manifests: the program of each operation, and its input.

mod adapting;
mod argument;
mod content;
mod kind_name;
mod list;
mod method;
mod methods;
mod naming;
mod newest;
mod own;
mod reading;
mod version;
mod watched;

pub(crate) use argument::Argument;
pub use content::Manifest;
pub(crate) use content::SchemaSource;
pub(crate) use kind_name::snake_case;
pub use list::{is_manifest, manifest_kind, read_manifests};
pub(crate) use method::{Input, Method, Returns, SecurityContext};
pub(crate) use naming::kind_names;
pub(crate) use newest::newest;
pub(crate) use watched::Watched;
