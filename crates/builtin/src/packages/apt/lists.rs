//! apt's lists of what there is to install.

use std::path::Path;
use std::time::{Duration, SystemTime};

use uphold_resource::{Access, Act, NewFile, Reading, Result};

use crate::packages::tool;

/// Where apt keeps its lists.
pub(crate) const PATH: &str = "/var/lib/apt/lists";

/// What is touched after an update: lists that are still the same stay as they are, so their own time does not tell. Other
/// tools use it, too.
pub(crate) const STAMP: &str = "/var/lib/apt/periodic/update-success-stamp";

/// How long to wait for another update.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long ago the lists were updated; none if never.
pub(crate) fn age(host: &Reading<'_>) -> Result<Option<Duration>> {
    let time = |path: &str| Ok(host.files().look(Path::new(path))?.map(|entry| entry.modified));
    let updated: Option<SystemTime> = time(STAMP)?.max(time(PATH)?);
    Ok(updated.map(|updated| host.clock().now().duration_since(updated).unwrap_or_default()))
}

/// Updates the lists.
pub(crate) fn update(host: &Act<'_>) -> Result<()> {
    // A list that cannot be fetched is only a warning for apt, unless it is told otherwise.
    let args = ["-q", "--error-on=any", "update"];
    let command = tool::command("apt-get", args);
    tool::run_patiently(&command, "cannot update the lists of packages", PATIENCE, host)?;
    if host.files().look(Path::new("/var/lib/apt/periodic"))?.is_none() {
        return Ok(());
    }
    let access = Access { mode: Some(0o644), ..Access::default() };
    let stamp = NewFile::new(b"", access);
    host.edits().write(Path::new(STAMP), &stamp)
}

/// Fetches the lists of the one repository that is described in `path`, and leaves those of all others alone.
///
/// # Errors
/// If it cannot be reached, or its signature is not good. apt keeps nothing of it then.
pub(crate) fn try_source(path: &Path, name: &str, host: &Act<'_>) -> Result<()> {
    let list = format!("Dir::Etc::SourceList={}", path.display());
    let only = ["-o", &list, "-o", "Dir::Etc::SourceParts=/dev/null", "-o", "APT::Get::List-Cleanup=0"];
    let args = [&["-q", "--error-on=any"], &only[..], &["update"]].concat();
    let what = format!("cannot use the repository `{name}`");
    tool::run_patiently(&tool::command("apt-get", args), &what, PATIENCE, host).map(drop)
}
