//! The account databases, read directly: `passwd`, `group` and `shadow`.

mod groups;
mod passwd;
mod shadow;
mod table;

pub(crate) use groups::Groups;
pub(crate) use passwd::PasswdRecord;
pub(crate) use shadow::{ShadowRecord, UNUSABLE_PASSWORD};
pub(crate) use table::Table;

use std::path::Path;
use std::sync::Arc;

use uphold_resource::{Reading, Result};

/// The user accounts.
pub(crate) const PASSWD: &str = "/etc/passwd";
/// The groups and their members.
pub(crate) const GROUP: &str = "/etc/group";
/// The password hashes and their aging rules.
pub(crate) const SHADOW: &str = "/etc/shadow";

/// All user accounts. The file is parsed once for all resources.
pub(crate) fn passwd(host: &Reading<'_>) -> Result<Arc<Table<PasswdRecord>>> {
    Ok(host.parsed(Path::new(PASSWD))?.unwrap_or_default())
}

/// All groups. The file is parsed once for all resources.
pub(crate) fn groups(host: &Reading<'_>) -> Result<Arc<Groups>> {
    Ok(host.parsed(Path::new(GROUP))?.unwrap_or_default())
}

/// All password entries. The file is parsed once for all resources; only root can read it.
pub(crate) fn shadow(host: &Reading<'_>) -> Result<Arc<Table<ShadowRecord>>> {
    Ok(host.parsed(Path::new(SHADOW))?.unwrap_or_default())
}
