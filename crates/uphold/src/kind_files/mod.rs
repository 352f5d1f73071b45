//! Kinds that are defined in files, without recompiling: scripts in Luau, and manifests of other programs.
//!
//! They lie in a directory `kinds` beside the configuration or beside a module that it calls, in the directories of
//! the engine, and in those that the variable `UPHOLD_KINDS_PATH` names.

mod cache;
mod definer;
mod kind_file;
mod search;
mod sources;

pub(crate) use kind_file::{is_kind_file, is_script};
pub(crate) use search::KindSearch;
pub use sources::KindReading;
pub(crate) use sources::KindSources;
