//! Kinds that edit part of a file.

mod edit_target;
mod flow;
mod format;
mod hosts_entry;
mod ini;
mod json;
mod key_path;
mod node;
mod patch;
mod plain_value;
mod ssh_known_host;
mod toml;
#[cfg(test)]
mod trial;
mod value_tree;
mod yaml;

pub use edit_target::EditTarget;
pub use hosts_entry::{
    Aliases, HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, HostsEntryWishes, IpAddress,
};
pub use ini::{Ini, IniChange, IniGoal, IniState, IniValue, IniWishes};
pub use json::{JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState, JsonEditWishes};
pub(crate) use json::{read as read_json, write as write_json};
pub use key_path::KeyPath;
pub use plain_value::PlainValue;
pub use ssh_known_host::{
    KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState, SshKnownHostWishes,
};
pub use toml::{TomlEdit, TomlEditChange, TomlEditGoal, TomlEditState, TomlEditWishes};
pub use yaml::{YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState, YamlEditWishes};
