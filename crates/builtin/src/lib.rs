//! The resource kinds that ship with Uphold. Nothing here uses what a third party cannot use.

mod accounts;
mod archive;
mod assert;
mod certificate;
mod complaint;
mod cron;
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
mod packages;
mod parent;
mod password;
mod public_key;
mod query;
mod rewrite;
mod runner;
mod script;
mod status;
mod storage;
mod sudo;
mod system;
mod task;
mod timer;
mod tool;
mod wait;
mod watched;

pub use accounts::*;
pub use archive::*;
pub use assert::*;
pub use certificate::*;
pub use cron::*;
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
pub use public_key::PublicKey;
pub use query::*;
pub use runner::*;
pub use status::*;
pub use storage::*;
pub use sudo::*;
pub use system::*;
pub use task::*;
pub use timer::*;
pub use wait::*;
pub use watched::*;
pub use assert::{Assert, AssertChange, AssertGoal, AssertState};
pub use directory::{Directory, DirectoryChange, DirectoryGoal, DirectoryState, Purge};
pub use file::{Content, CreationOnly, Digest, File, FileChange, FileGoal, FileState, FileVerb};
pub use line::{Anchor, Line, LineChange, LineGoal, LineState, Lines, Pattern};
pub use link::{Link, LinkChange, LinkGoal, LinkState, LinkType, Target};
pub use log::{Log, LogChange, LogGoal, LogLevel, LogState};
pub use packages::{
    ConfigFiles, Manager, Package, PackageChange, PackageGoal, PackagePurge, PackageSettings, PackageState,
    Version,
};
pub use query::{Query, QueryChange, QueryGoal, QueryState};
pub use runner::Runner;
pub use status::Status;
pub use task::{Task, TaskChange, TaskGoal, TaskState, TaskVerb};
pub use wait::{
    PortState, Presence, WaitFile, WaitFileChange, WaitFileGoal, WaitFileState, WaitPort, WaitPortChange,
    WaitPortGoal, WaitPortState, WaitQuery, WaitQueryChange, WaitQueryGoal, WaitQueryState,
};
pub use watched::Watched;

use uphold_resource::{KindError, Registry};

/// Adds every kind of this crate.
pub fn register(registry: &mut Registry) -> Result<(), KindError> {
    registry.add::<Archive>()?;
    registry.add::<Assert>()?;
    registry.add::<AuthorizedKey>()?;
    registry.add::<Certificate>()?;
    registry.add::<Cron>()?;
    registry.add::<Directory>()?;
    registry.add::<Download>()?;
    registry.add::<File>()?;
    registry.add::<Filesystem>()?;
    registry.add::<Git>()?;
    registry.add::<Group>()?;
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
    registry.add::<Package>()?;
    registry.add::<Query>()?;
    registry.add::<SshKnownHost>()?;
    registry.add::<Sudo>()?;
    registry.add::<Swap>()?;
    registry.add::<Sysctl>()?;
    registry.add::<Tar>()?;
    registry.add::<Task>()?;
    registry.add::<Timer>()?;
    registry.add::<Timezone>()?;
    registry.add::<TomlEdit>()?;
    registry.add::<User>()?;
    registry.add::<WaitFile>()?;
    registry.add::<WaitPort>()?;
    registry.add::<WaitQuery>()?;
    registry.add::<YamlEdit>()?;
    Ok(())
}
