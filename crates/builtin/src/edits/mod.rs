//! Kinds that change a part of a file that something else owns.

mod datum;
mod flow;
mod format;
mod hosts_entry;
mod ini;
mod json;
mod key_path;
mod node;
mod patch;
mod spot;
mod ssh_known_host;
mod toml;
#[cfg(test)]
mod trial;
mod value_tree;
mod yaml;

pub use datum::Datum;
pub use hosts_entry::{Aliases, HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, IpAddress};
pub use ini::{Ini, IniChange, IniGoal, IniState, IniValue};
pub use json::{JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState};
pub(crate) use json::{read as read_json, write as write_json};
pub use key_path::KeyPath;
pub use spot::Spot;
pub use ssh_known_host::{KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState};
pub use toml::{TomlEdit, TomlEditChange, TomlEditGoal, TomlEditState};
pub use yaml::{YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState};
