//! The package lists of apt.

use std::path::Path;
use std::time::{Duration, SystemTime};

use uphold_resource::{Access, Act, NewFile, Reading, Result};

use crate::packages::tool;

/// The directory of the lists.
pub(crate) const PATH: &str = "/var/lib/apt/lists";

/// A file that is touched after an update, because unchanged lists keep their own times. Other tools use it, too.
pub(crate) const STAMP: &str = "/var/lib/apt/periodic/update-success-stamp";

/// How long to wait for another update.
const PATIENCE: Duration = Duration::from_secs(600);

/// The time since the last update; none if there was none.
pub(crate) fn age(host: &Reading<'_>) -> Result<Option<Duration>> {
    let time = |path: &str| Ok(host.files().look(Path::new(path))?.map(|entry| entry.modified));
    let updated: Option<SystemTime> = time(STAMP)?.max(time(PATH)?);
    Ok(updated.map(|updated| host.clock().now().duration_since(updated).unwrap_or_default()))
}

/// Updates the lists.
pub(crate) fn update(host: &Act<'_>) -> Result<()> {
    // By default, apt only warns about a list that it cannot fetch.
    let args = ["-q", "--error-on=any", "update"];
    let command = tool::command("apt-get", args);
    tool::run_when_unlocked(&command, "cannot update the package lists", PATIENCE, host)?;
    if host.files().look(Path::new("/var/lib/apt/periodic"))?.is_none() {
        return Ok(());
    }
    let access = Access { mode: Some(0o644), ..Access::default() };
    let stamp = NewFile::new(b"", access);
    host.edits().write(Path::new(STAMP), &stamp)
}

/// Fetches only the lists of the repository in the file `path`.
///
/// # Errors
/// If it cannot be reached, or its signature is not valid. apt then keeps no lists of it.
pub(crate) fn try_source(path: &Path, name: &str, host: &Act<'_>) -> Result<()> {
    let list = format!("Dir::Etc::SourceList={}", path.display());
    let only = ["-o", &list, "-o", "Dir::Etc::SourceParts=/dev/null", "-o", "APT::Get::List-Cleanup=0"];
    let args = [&["-q", "--error-on=any"], &only[..], &["update"]].concat();
    let what = format!("cannot use the repository `{name}`");
    tool::run_when_unlocked(&tool::command("apt-get", args), &what, PATIENCE, host).map(drop)
}
