//! The resource kinds that ship with Uphold. Nothing here uses what a third party cannot use.

mod archive;
mod accounts;
mod assert;
mod certificate;
mod complaint;
mod digesting;
mod cron;
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
mod sudo;
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
pub use accounts::{
    AccountPath, AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState, Date, Group,
    GroupChange, GroupGoal, GroupSet, GroupState, KeyOptions, Membership, PublicKey, User, UserChange,
    UserGoal, UserSet, UserState,
};
pub use assert::{Assert, AssertChange, AssertGoal, AssertState};
pub use cron::{Cron, CronChange, CronGoal, CronState, Schedule, TimeField};
pub use directory::{Directory, DirectoryChange, DirectoryGoal, DirectoryState, Purge};
pub use file::{Content, CreationOnly, Digest, File, FileChange, FileGoal, FileState, FileVerb};
pub use line::{Anchor, Line, LineChange, LineGoal, LineState, Lines, Pattern};
pub use link::{Link, LinkChange, LinkGoal, LinkState, LinkType, Target};
pub use log::{Log, LogChange, LogGoal, LogLevel, LogState};
pub use query::{Query, QueryChange, QueryGoal, QueryState};
pub use runner::Runner;
pub use status::Status;
pub use sudo::{Sudo, SudoChange, SudoGoal, SudoState};
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
    registry.add::<Certificate>()?;
    registry.add::<AuthorizedKey>()?;
    registry.add::<Cron>()?;
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
    registry.add::<Group>()?;
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
    registry.add::<Sudo>()?;
    registry.add::<Task>()?;
    registry.add::<User>()?;
    registry.add::<WaitFile>()?;
    registry.add::<WaitPort>()?;
    registry.add::<WaitQuery>()?;
    registry.add::<YamlEdit>()?;
    Ok(())
}
