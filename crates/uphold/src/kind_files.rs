//! Kinds that are defined in files, without recompiling: scripts in Luau, and manifests of other programs.
//!
//! They are in a directory `kinds` beside the configuration or a module, in the directories of the engine, and in those
//! of the variable `UPHOLD_KINDS_PATH`.

mod definer;
mod search;
mod sources;

pub(crate) use search::{KindSearch, is_kind_file, is_script};
pub use sources::KindReading;
pub(crate) use sources::KindSources;
