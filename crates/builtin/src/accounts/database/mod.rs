//! The account databases, read directly: `passwd`, `group` and `shadow`.

mod groups;
mod passwd;
mod shadow;
mod table;

pub(crate) use groups::Groups;
pub(crate) use passwd::PasswdRecord;
pub(crate) use shadow::{NOBODYS, ShadowRecord};
pub(crate) use table::Table;

use std::path::Path;
use std::sync::Arc;

use uphold_resource::{Reading, Result};

/// Accounts.
pub(crate) const PASSWD: &str = "/etc/passwd";
/// Groups and who is in them.
pub(crate) const GROUP: &str = "/etc/group";
/// Passwords, and how long they are good for.
pub(crate) const SHADOW: &str = "/etc/shadow";

/// All accounts. However many ask, the file is read once.
pub(crate) fn passwd(host: &Reading<'_>) -> Result<Arc<Table<PasswdRecord>>> {
    Ok(host.parsed(Path::new(PASSWD))?.unwrap_or_default())
}

/// All groups. However many ask, the file is read once.
pub(crate) fn groups(host: &Reading<'_>) -> Result<Arc<Groups>> {
    Ok(host.parsed(Path::new(GROUP))?.unwrap_or_default())
}

/// All passwords. However many ask, the file is read once; only root may.
pub(crate) fn shadow(host: &Reading<'_>) -> Result<Arc<Table<ShadowRecord>>> {
    Ok(host.parsed(Path::new(SHADOW))?.unwrap_or_default())
}
