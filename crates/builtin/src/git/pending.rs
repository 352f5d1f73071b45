//! A note in the checkout that a change has begun and has not ended.
//!
//! Git writes files one by one. If it is killed, the files are a mix of two commits, and nothing in the repository says so.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_resource::{Access, Act, NewFile, Reading, Result};

use super::checkout;
use super::commit::Commit;

/// Its name in `.git`.
pub(crate) const NAME: &str = "uphold-pending";

/// As many commits are remembered, if one interruption follows another.
const MOST: usize = 8;

/// A change that was interrupted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// The commits whose files may be in the checkout; the last one was to be checked out.
    pub(crate) commits: Vec<Commit>,
    /// The time when the change began.
    pub(crate) begun: SystemTime,
}

impl Pending {
    /// The change of the checkout at `path` that was interrupted, if one was.
    pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        let Some(entry) = host.files().look(&note(path))? else { return Ok(None) };
        let text = checkout::text(&note(path), host)?.unwrap_or_default();
        let commits = text.lines().filter_map(Commit::parse).collect();
        Ok(Some(Self { commits, begun: entry.modified }))
    }

    /// Notes that a change begins. `owner` is the user and group that git runs as.
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
        host.edits().write(&note(path), &NewFile::new(text.as_bytes(), access))
    }

    /// Notes that the change has ended.
    pub(crate) fn end(path: &Path, host: &Act<'_>) -> Result<()> {
        host.edits().remove_file(&note(path))
    }
}

/// Whether a change of the checkout at `path` was interrupted.
pub(crate) fn is_pending(path: &Path, host: &Reading<'_>) -> Result<bool> {
    Ok(host.files().look(&note(path))?.is_some())
}

fn note(path: &Path) -> PathBuf {
    path.join(".git").join(NAME)
}
