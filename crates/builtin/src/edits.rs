//! Kinds that edit part of a file.

mod hosts_entry;
mod ini;
mod json;
mod ssh_known_host;
mod toml;
mod yaml;

pub use hosts_entry::{
    Aliases, HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, HostsEntryWishes,
};
pub use ini::{Ini, IniChange, IniGoal, IniState, IniValue, IniWishes};
pub use json::{JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState, JsonEditWishes};
pub use ssh_known_host::{
    KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState, SshKnownHostWishes,
};
pub use toml::{TomlEdit, TomlEditChange, TomlEditGoal, TomlEditState, TomlEditWishes};
pub use yaml::{YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState, YamlEditWishes};
