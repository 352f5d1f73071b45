//! Kinds that edit part of a file.

mod flow;
mod format;
mod hosts_entry;
mod ini;
mod json;
mod key_path;
mod patch;
mod ssh_known_host;
mod toml;
#[cfg(test)]
mod trial;
mod value_tree;
mod yaml;

use format::{Documents, Format, edit};
use uphold_kit::edited_file::EditedFile;
use uphold_kit::verification::Verification;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claims, Described, Previous, Property, Reading, Result, Step,
};

pub use hosts_entry::{
    Aliases, HostsEntry, HostsEntryChange, HostsEntryGoal, HostsEntryState, HostsEntryWishes, IpAddress,
};
pub use ini::{Ini, IniChange, IniGoal, IniState, IniValue, IniWishes};
pub use json::{JsonEdit, JsonEditChange, JsonEditGoal, JsonEditState, JsonEditWishes};
pub use key_path::KeyPath;
pub use ssh_known_host::{
    KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState, SshKnownHostWishes,
};
pub use toml::{TomlEdit, TomlEditChange, TomlEditGoal, TomlEditState, TomlEditWishes};
pub use value_tree::PlainValue;
pub use yaml::{YamlEdit, YamlEditChange, YamlEditGoal, YamlEditState, YamlEditWishes};

pub(crate) use json::{read as read_json, write as write_json};

// The file and key of an edit.

/// The settings that `json_edit`, `yaml_edit` and `toml_edit` share.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct EditTarget {
    /// Path of the file.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// Path to the value: map keys separated by dots, and list indexes in brackets, as in `a.b[0].c`. Put a key
    /// that contains dots in quotes, or write the path as a list of keys and indexes. Missing maps are created. The
    /// index after the last item of a list appends an item.
    #[also("pointer", "at", "option", "setting")]
    #[required]
    pub key: KeyPath,
    /// Create the file if it does not exist: with mode 0644, or 0600 if the value is a secret. Pending packages are
    /// installed first, because one of them may provide the file.
    #[default(false)]
    pub create: bool,
}

impl EditTarget {
    fn edited_file(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create)
    }

    /// The current value; none if it does not exist.
    pub(crate) fn load<F: Format>(&self, format: &F, host: &Reading<'_>) -> Result<Option<PlainValue>> {
        let Some(documents) = self.edited_file().parsed::<Documents<F>>(host)? else { return Ok(None) };
        let found = documents.look(format, &self.key);
        let found = found.map_err(|error| error.while_(format!("cannot read {}", self.file)))?;
        Ok(found.cloned().map(PlainValue))
    }

    /// Sets the value, or removes it, once the new file is verified.
    pub(crate) fn apply(
        &self,
        format: &impl Format,
        value: Option<&PlainValue>,
        verification: &Verification,
        host: &Act<'_>,
    ) -> Result<()> {
        let file = self.edited_file().verified(verification);
        file.rewrite(host, |old| edit(format, old, &self.key, value.map(|value| &value.0)))
    }

    /// The whole file as it was, or the key alone if the file was changed meanwhile.
    pub(crate) fn previous(&self) -> Previous {
        self.edited_file().previous(true)
    }

    /// Other values may be edited in the same file, but only one resource may manage each.
    pub(crate) fn claim(&self, claims: &mut Claims, document: Option<usize>) {
        self.edited_file().claim(claims);
        let document = document.map_or(String::new(), |document| format!("document {document} of "));
        claims.hold(Claim::Other("key", format!("{} of {document}{}", self.key, self.file).into()));
    }
}

/// The desired state after a step; none if the edited part is removed.
fn goal<R: Described>(step: Step<'_, R>) -> Option<&R::Goal> {
    match step {
        Step::Create { goal } | Step::Update { goal, .. } => Some(goal),
        Step::Remove { .. } => None,
    }
}
