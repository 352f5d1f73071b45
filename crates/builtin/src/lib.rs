//! The resource kinds that ship with Uphold. Nothing here uses what a third party cannot use.

mod archive;
mod assert;
mod certificate;
mod complaint;
mod digesting;
mod directory;
mod fetch;
mod edited_file;
mod edits;
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
mod tool;
mod timer;
mod wait;
mod watched;

pub use archive::{
    Archive, ArchiveChange, ArchiveGoal, ArchiveState, Differing, Limits, PathPattern, Selection,
};
pub use assert::{Assert, AssertChange, AssertGoal, AssertState};
pub use certificate::{
    Certificate, CertificateChange, CertificateGoal, CertificateState, CertificateVerb, KeyType,
};
pub use directory::{Directory, DirectoryChange, DirectoryGoal, DirectoryState, Purge};
pub use fetch::{
    Answer, Checksum, Connection, Copy, Download, DownloadChange, DownloadGoal, DownloadState, HttpRequest,
    HttpRequestChange, HttpRequestGoal, HttpRequestState, HttpRequestVerb, Method,
pub use edits::{
    Aliases, Datum, HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, Ini, IniChange, IniGoal,
    IniState, IniValue, IpAddress, JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState, KeyMarker, KeyPath,
    PublicKey, Spot, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState, TomlEdit,
    TomlEditChange, TomlEditGoal, TomlEditState, YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState,
};
pub use file::{Content, CreationOnly, Digest, File, FileChange, FileGoal, FileState, FileVerb};
pub use git::{Commit, Git, GitChange, GitGoal, GitState};
pub use line::{Anchor, Line, LineChange, LineGoal, LineState, Lines, Pattern};
pub use link::{Link, LinkChange, LinkGoal, LinkState, LinkType, Target};
pub use log::{Log, LogChange, LogGoal, LogLevel, LogState};
pub use pack::{Gzip, GzipChange, GzipGoal, GzipState, Tar, TarChange, TarGoal, TarState};
pub use packing::Compression;
pub use log::{Log, LogChange, LogGoal, LogLevel, LogState, LogVerb};
pub use password::{Alphabet, Password, PasswordChange, PasswordGoal, PasswordState, PasswordVerb};
pub use query::{Query, QueryChange, QueryGoal, QueryState};
pub use runner::Runner;
pub use status::Status;
pub use storage::{
    BlockDevice, Filesystem, FilesystemChange, FilesystemGoal, FilesystemState, Mount, MountChange,
    MountGoal, MountOptions, MountPoint, MountState, Swap, SwapChange, SwapGoal, SwapState,
};
pub use system::{
    Hostname, HostnameChange, HostnameGoal, HostnameState, KernelModule, KernelModuleChange,
    KernelModuleGoal, KernelModuleState, KernelValue, Locale, LocaleChange, LocaleGoal, LocaleName,
    LocaleState, MachineName, ModuleName, Sysctl, SysctlChange, SysctlGoal, SysctlKey, SysctlState, Timezone,
    TimezoneChange, TimezoneGoal, TimezoneState, Zone,
};
pub use task::{Task, TaskChange, TaskGoal, TaskState, TaskVerb};
pub use timer::{Span, Timer, TimerChange, TimerGoal, TimerState};
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
    registry.add::<Directory>()?;
    registry.add::<Download>()?;
    registry.add::<File>()?;
    registry.add::<Filesystem>()?;
    registry.add::<Hostname>()?;
    registry.add::<KernelModule>()?;
    registry.add::<Git>()?;
    registry.add::<Gzip>()?;
    registry.add::<HttpRequest>()?;
    registry.add::<HostsEntry>()?;
    registry.add::<Ini>()?;
    registry.add::<JsonEdit>()?;
    registry.add::<Line>()?;
    registry.add::<Link>()?;
    registry.add::<Locale>()?;
    registry.add::<Log>()?;
    registry.add::<Mount>()?;
    registry.add::<Password>()?;
    registry.add::<Query>()?;
    registry.add::<Swap>()?;
    registry.add::<Sysctl>()?;
    registry.add::<Tar>()?;
    registry.add::<SshKnownHost>()?;
    registry.add::<Task>()?;
    registry.add::<Timezone>()?;
    registry.add::<Timer>()?;
    registry.add::<TomlEdit>()?;
    registry.add::<WaitFile>()?;
    registry.add::<WaitPort>()?;
    registry.add::<WaitQuery>()?;
    registry.add::<YamlEdit>()?;
    Ok(())
}
