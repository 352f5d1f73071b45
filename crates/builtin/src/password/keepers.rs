//! The `keepers` of a password, stored next to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use uphold_resource::{Access, Act, EntryKind, Error, ErrorKind, NewFile, Reading, Result, Value};

use crate::edits::{read_json, write_json};

/// Values that cause a new password when they change.
pub(super) type Keepers = BTreeMap<String, String>;

/// The file next to `path` in which they are stored.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".keepers");
    name.into()
}

/// The stored keepers of the password at `path`; empty if there is no file.
pub(super) fn read(path: &Path, host: &Reading<'_>) -> Result<Keepers> {
    let path = beside(path);
    let size = match host.files().look(&path)? {
        Some(entry) if entry.kind == EntryKind::File => entry.size,
        _ => return Ok(Keepers::new()),
    };
    let content = host.files().read(&path, size)?;
    let broken = || {
        let what = format!("{} was not written by Uphold", path.display());
        Error::new(ErrorKind::Invalid, what).hint("restore the file; without it, a new password is generated")
    };
    let text = |(name, value): (_, &Value)| match value {
        Value::Text(text) => Ok((ToString::to_string(name), text.to_string())),
        _ => Err(broken()),
    };
    match read_json(&content).map_err(|error| broken().because(error.chain()))? {
        Value::Map(map) => map.iter().map(text).collect(),
        _ => Err(broken()),
    }
}

/// Stores the keepers of the password at `path`, readable for the owner only.
pub(super) fn write(path: &Path, keepers: &Keepers, host: &Act<'_>) -> Result<()> {
    let path = beside(path);
    let exists = host.files().look(&path)?.is_some();
    if keepers.is_empty() {
        return if exists { host.edits().remove_file(&path) } else { Ok(()) };
    }
    let map = Value::map(keepers.iter().map(|(name, value)| (name.as_str(), Value::text(value.as_str()))));
    let content = write_json(&map);
    let access = Access { mode: Some(0o600), ..Access::default() };
    let file = NewFile::new(content.as_bytes(), access);
    host.edits().write(&path, &file)
}
