//! Files relative to the configuration.

pub(crate) mod content;
pub(crate) mod fileset;
mod glob;
