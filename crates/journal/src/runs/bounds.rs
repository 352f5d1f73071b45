//! The bounds of the history: age, size, and how many runs are not compressed.

use super::file_name::{RunFile, compressed, run_files};
use super::record::RunLine;
use crate::failure::{Attempt, Result};
use crate::line::{Chain, VerifiedLine, scan};
use crate::storage::{Durability, Storage, StoredFile};
use crate::time::Time;

/// So much is compressed at the end of one run, about 10 ms.
const MOST_COMPRESSED: u64 = 512 << 10;

/// Runs without changes compress only when so many more than the recent runs are plain: compressing waits for the disk.
const SLACK: usize = 48;

/// How much history is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunBounds {
    /// Older runs are removed.
    pub days: u32,
    /// The oldest runs are removed until all files together have at most so many bytes.
    pub bytes: u64,
    /// The number of recent runs that are not compressed.
    pub plain: usize,
}

impl Default for RunBounds {
    fn default() -> Self {
        Self { days: 400, bytes: 64 << 20, plain: 16 }
    }
}

/// Removes old runs and compresses those that are not recent. `stored` are all files of the folder.
pub(crate) fn prune(
    storage: &dyn Storage,
    stored: &[StoredFile],
    bounds: &RunBounds,
    now: Time,
    has_changed: bool,
) -> Result<()> {
    let all: Vec<RunFile> = run_files(stored).into_values().collect();
    let removed = remove_old(storage, &all, bounds, now)?;
    let recent = all.len().saturating_sub(bounds.plain).max(removed);
    let plain: Vec<&RunFile> = all[removed..recent].iter().filter(|file| !file.is_compressed).collect();
    if has_changed || plain.len() > SLACK { compress(storage, &plain) } else { Ok(()) }
}

/// Removes the oldest runs that are over a bound, and returns their number. The newest run stays.
fn remove_old(storage: &dyn Storage, all: &[RunFile], bounds: &RunBounds, now: Time) -> Result<usize> {
    let mut total: u64 = all.iter().map(|file| file.size).sum();
    let oldest_kept = now.days_before(bounds.days);
    for (index, file) in all.iter().enumerate() {
        let is_last = index + 1 == all.len();
        if is_last || (total <= bounds.bytes && began(storage, file)? >= oldest_kept) {
            return Ok(index);
        }
        for is_compressed in [false, true] {
            let name = RunFile { is_compressed, ..*file }.name();
            storage.remove(&name).attempt("remove", &name)?;
        }
        total -= file.size;
    }
    Ok(0)
}

/// The start of a run. A damaged file stays, so that it can be found and looked at; only the bound on the size removes it.
fn began(storage: &dyn Storage, file: &RunFile) -> Result<Time> {
    let content = file.read_start(storage)?;
    let first = scan(&content, Chain::Linked).lines.first().and_then(VerifiedLine::record);
    Ok(match first {
        Some(RunLine::Begin(begin)) => begin.time,
        _ => Time(i64::MAX),
    })
}

fn compress(storage: &dyn Storage, plain: &[&RunFile]) -> Result<()> {
    let mut left = MOST_COMPRESSED;
    for file in plain {
        let (name, target) = (file.name(), RunFile { is_compressed: true, ..**file }.name());
        let content = compressed(&file.read(storage)?).attempt("compress", &name)?;
        // The plain file is removed only when the other one survives a power loss.
        storage.replace(&target, &content, Durability::Synced).attempt("write", &target)?;
        storage.remove(&name).attempt("remove", &name)?;
        left = left.saturating_sub(file.size);
        if left == 0 {
            break;
        }
    }
    Ok(())
}
