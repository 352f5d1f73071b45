//! Modules: the combined definitions of all sources in one directory.

mod block;
mod block_reader;
mod definition;
mod definition_reader;
mod literals;
mod loader;
mod moves;
mod param;
mod reader;
mod settings;

pub(crate) use block::{Block, What};
pub(crate) use definition::{GroupBlock, ItemRef, Member, Module};
pub(crate) use literals::{LiteralRange, Literals};
pub(crate) use loader::{DEEPEST, LARGEST, Loader};
pub use loader::{is_configuration, is_test};
pub(crate) use param::{Param, Validation};
pub(crate) use settings::ON_REMOVAL_FIX;
