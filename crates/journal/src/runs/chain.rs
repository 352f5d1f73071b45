//! The chain of sums over all run files, which finds edits and removed lines.

use std::collections::BTreeMap;
use std::fmt;

use super::file_name::{RunFile, files};
use super::record::{RunBegin, RunLine};
use crate::failure::Result;
use crate::line::{CHAIN_START, Chain, Scan, VerifiedLine, scan};
use crate::storage::Storage;

/// The first line that does not continue the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    /// The file.
    pub file: String,
    /// The number of the line, from 1. Line 1 of a run file breaks the chain if the previous run was changed or removed.
    pub line: usize,
}

impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of `{}` does not continue the line before", self.line, self.file)
    }
}

/// Recomputes all sums, oldest run first. The chain begins at the oldest run that is left.
pub(super) fn verify(storage: &dyn Storage) -> Result<Option<BrokenChain>> {
    let mut previous: Option<String> = None;
    for file in files(storage)?.values() {
        let content = file.read(storage)?;
        let scan = scan(&content, Chain::Linked);
        if let Some(line) = first_break(&scan, &mut previous) {
            return Ok(Some(BrokenChain { file: file.name(), line }));
        }
    }
    Ok(None)
}

/// Recomputes the sums of an audit log, which contains the lines of many runs. A log that was rotated begins anywhere with
/// the first line of a run.
pub fn verify_audit_log(content: &[u8], name: &str) -> Option<BrokenChain> {
    let scan = scan(content, Chain::Linked);
    first_break(&scan, &mut None).map(|line| BrokenChain { file: name.to_owned(), line })
}

/// The first line that does not verify, or whose link is another than `previous`, which becomes the last sum.
fn first_break(scan: &Scan<'_>, previous: &mut Option<String>) -> Option<usize> {
    let (first_bad, mut found) = (scan.broken.map(|(line, _)| line), None);
    for (number, line) in (1..).zip(&scan.lines) {
        let link = begin(line).and_then(|begin| begin.previous);
        if link.is_some() && previous.is_some() && link != *previous {
            found = Some(number);
            break;
        }
        *previous = Some(line.sum.to_owned());
    }
    match (first_bad, found) {
        (Some(bad), Some(found)) => Some(bad.min(found)),
        (one, other) => one.or(other),
    }
}

/// The first line of a run. Other lines are not parsed.
fn begin(line: &VerifiedLine<'_>) -> Option<RunBegin> {
    let record = line.text.starts_with(CHAIN_START).then(|| line.record())?;
    match record? {
        RunLine::Begin(begin) => Some(begin),
        _ => None,
    }
}

/// The last sum of the newest file that has a line.
pub(super) fn last_sum(storage: &dyn Storage, files: &BTreeMap<u64, RunFile>) -> Option<String> {
    files.values().rev().find_map(|file| {
        let content = file.read(storage).ok()?;
        scan(&content, Chain::Linked).lines.last().map(|line| line.sum.to_owned())
    })
}
