//! The resource kinds that ship with Uphold. Nothing here uses what a third party cannot use.

mod archive;
mod assert;
mod certificate;
mod complaint;
mod digesting;
mod directory;
mod edited_file;
mod edits;
mod fetch;
mod file;
mod git;
mod line;
mod link;
mod log;
mod machine;
mod ownership;
mod pack;
mod packing;
mod parent;
mod password;
mod query;
mod rewrite;
mod runner;
mod script;
mod status;
mod storage;
mod system;
mod task;
mod timer;
mod tool;
mod wait;
mod watched;

pub use archive::*;
pub use assert::*;
pub use certificate::*;
pub use directory::*;
pub use edits::*;
pub use fetch::*;
pub use file::*;
pub use git::*;
pub use line::*;
pub use link::*;
pub use log::*;
pub use pack::*;
pub use packing::*;
pub use password::*;
pub use query::*;
pub use runner::*;
pub use status::*;
pub use storage::*;
pub use system::*;
pub use task::*;
pub use timer::*;
pub use wait::*;
pub use watched::*;

use uphold_resource::{KindError, Registry};

/// Adds every kind of this crate.
pub fn register(registry: &mut Registry) -> Result<(), KindError> {
    registry.add::<Archive>()?;
    registry.add::<Assert>()?;
    registry.add::<Certificate>()?;
    registry.add::<Directory>()?;
    registry.add::<Download>()?;
    registry.add::<File>()?;
    registry.add::<Filesystem>()?;
    registry.add::<Git>()?;
    registry.add::<Gzip>()?;
    registry.add::<Hostname>()?;
    registry.add::<HostsEntry>()?;
    registry.add::<HttpRequest>()?;
    registry.add::<Ini>()?;
    registry.add::<JsonEdit>()?;
    registry.add::<KernelModule>()?;
    registry.add::<Line>()?;
    registry.add::<Link>()?;
    registry.add::<Locale>()?;
    registry.add::<Log>()?;
    registry.add::<Mount>()?;
    registry.add::<Password>()?;
    registry.add::<Query>()?;
    registry.add::<SshKnownHost>()?;
    registry.add::<Swap>()?;
    registry.add::<Sysctl>()?;
    registry.add::<Tar>()?;
    registry.add::<Task>()?;
    registry.add::<Timer>()?;
    registry.add::<Timezone>()?;
    registry.add::<TomlEdit>()?;
    registry.add::<WaitFile>()?;
    registry.add::<WaitPort>()?;
    registry.add::<WaitQuery>()?;
    registry.add::<YamlEdit>()?;
    Ok(())
}
