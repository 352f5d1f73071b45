//! A marker in the checkout for a change in progress.
//!
//! Git writes files one by one. If it is killed, the files are a mix of two commits, and nothing in the repository
//! shows it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_resource::{Access, Act, NewFile, Reading, Result};

use super::checkout;
use super::commit::Commit;

/// Its file name in `.git`.
pub(crate) const NAME: &str = "uphold-pending";

/// The maximum number of commits to remember after repeated interruptions.
const MOST: usize = 8;

/// A change that was interrupted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// The commits whose files may be in the checkout; the last one was being checked out.
    pub(crate) commits: Vec<Commit>,
    /// The start of the change.
    pub(crate) begun: SystemTime,
}

impl Pending {
    /// The interrupted change of the checkout at `path`, if any.
    pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        let Some(entry) = host.files().look(&marker(path))? else { return Ok(None) };
        let text = checkout::text(&marker(path), host)?.unwrap_or_default();
        let commits = text.lines().filter_map(Commit::parse).collect();
        Ok(Some(Self { commits, begun: entry.modified }))
    }

    /// Marks the start of a change. `owner` is the user and group that git runs as.
    pub(crate) fn begin(
        path: &Path,
        commits: &[Commit],
        owner: Option<(u32, u32)>,
        host: &Act<'_>,
    ) -> Result<()> {
        let kept = &commits[commits.len().saturating_sub(MOST)..];
        let text: String = kept.iter().map(|commit| format!("{commit}\n")).collect();
        let (uid, gid) = owner.unzip();
        let access = Access { mode: Some(0o644), uid, gid };
        host.edits().write(&marker(path), &NewFile::new(text.as_bytes(), access))
    }

    /// Marks the end of the change.
    pub(crate) fn end(path: &Path, host: &Act<'_>) -> Result<()> {
        host.edits().remove_file(&marker(path))
    }
}

/// Whether a change of the checkout at `path` was interrupted.
pub(crate) fn is_pending(path: &Path, host: &Reading<'_>) -> Result<bool> {
    Ok(host.files().look(&marker(path))?.is_some())
}

fn marker(path: &Path) -> PathBuf {
    path.join(".git").join(NAME)
}
