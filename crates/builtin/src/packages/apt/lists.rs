//! apt's lists of what there is to install.

use std::path::Path;
use std::time::{Duration, SystemTime};

use uphold_resource::{Access, Host, NewFile, Observe, Result};

use crate::packages::tool;

/// Where apt keeps its lists.
pub(super) const PATH: &str = "/var/lib/apt/lists";

/// What is touched after an update: lists that are still the same stay as they are, so their own time does not tell. Other
/// tools use it, too.
const STAMP: &str = "/var/lib/apt/periodic/update-success-stamp";

/// How long to wait for another update.
const PATIENCE: &str = "600";

/// How long ago the lists were updated; none if never.
pub(crate) fn age(host: &dyn Observe) -> Result<Option<Duration>> {
    let time = |path: &str| Ok(host.files().look(Path::new(path))?.map(|entry| entry.modified));
    let updated: Option<SystemTime> = time(STAMP)?.max(time(PATH)?);
    Ok(updated.map(|updated| host.clock().now().duration_since(updated).unwrap_or_default()))
}

/// Updates the lists.
pub(crate) fn update(host: &dyn Host) -> Result<()> {
    let lock = format!("DPkg::Lock::Timeout={PATIENCE}");
    // A list that cannot be fetched is only a warning for apt, unless it is told otherwise.
    let args = ["-q", "-o", &lock, "--error-on=any", "update"];
    tool::run("cannot update the lists of packages", &tool::command("apt-get", args), host)?;
    if host.files().look(Path::new("/var/lib/apt/periodic"))?.is_none() {
        return Ok(());
    }
    let access = Access { mode: Some(0o644), ..Access::default() };
    let stamp = NewFile { content: b"", access, verify: None, replace_other: false };
    host.edits().write(Path::new(STAMP), &stamp)
}
