//! The files of the last applied values, and lookups that parse little of them.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use serde::Serialize;

use crate::digest::hex_digest;
use crate::failure::{Attempt, Result};
use crate::line::{Chain, Damage, Scan, VerifiedLine, damage, scan, seal_last};
use crate::resource_key::ResourceKey;
use crate::storage::{Part, Storage, read_if_present};

use super::AppliedResource;
use super::lines::{AppliedLine, LeftResource, SealedRecord, add_put};
use super::store::Applied;

pub(super) const FILE: &str = "applied";
pub(super) const LOG: &str = "applied.log";

/// The first line of `applied` and the last one of the log are shorter, with some hundred configurations.
const ONE_LINE: usize = 64 << 10;

/// A set that was applied completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSet {
    /// Its digest.
    pub set: String,
    /// The resources that are no longer declared.
    pub left: Vec<LeftResource>,
}

/// The set that was applied last for a configuration. Reads one line, so that a run without changes needs no more.
pub(crate) fn last_set(storage: &dyn Storage, configuration: &str) -> Result<Option<LastSet>> {
    let end = read_if_present(storage, LOG, Part::End(ONE_LINE)).attempt("read", LOG)?;
    let start = if end.is_empty() {
        read_if_present(storage, FILE, Part::Start(ONE_LINE)).attempt("read", FILE)?
    } else {
        Vec::new()
    };
    // A torn last line belongs to a run that did not end, and does not verify.
    let line = lines(&start).next().or_else(|| lines(&end).next_back()).unwrap_or_default();
    let line = scan(line, Chain::None).lines.first().and_then(VerifiedLine::record);
    let Some(AppliedLine::Applied { sets, .. } | AppliedLine::Sets(sets)) = line else { return Ok(None) };
    let known = sets.into_iter().find(|known| known.name == configuration);
    Ok(known.and_then(|known| Some(LastSet { set: known.set?, left: known.left })))
}

/// The record of one resource. Lines about others are not parsed.
pub(crate) fn find(storage: &Arc<dyn Storage>, key: &ResourceKey) -> Result<Option<AppliedResource>> {
    let identity = serde_json::to_string(&key.identity).map_err(io::Error::from).attempt("encode", FILE)?;
    let needle = format!("\"i\":{identity}");
    let is_needed = |line: &&[u8]| {
        let is_record = line.starts_with(b"{\"put\":") || line.starts_with(b"{\"forget\":");
        !is_record || std::str::from_utf8(line).is_ok_and(|line| line.contains(&needle))
    };
    let needed =
        contents(&**storage)?.map(|content| lines(&content).filter(is_needed).flatten().copied().collect());
    let [file, log]: [Vec<u8>; 2] = needed;
    let scans = [scan(&file, Chain::None), scan(&log, Chain::None)];
    let applied = Applied::replay(Arc::clone(storage), scans.each_ref(), [0, 0]);
    Ok(applied.get(key).cloned())
}

/// The lines of a file, each with its line break.
fn lines(content: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

pub(super) fn contents(storage: &dyn Storage) -> Result<[Vec<u8>; 2]> {
    let read = |name| read_if_present(storage, name, Part::All).attempt("read", name);
    // The log first: a run that folds it meanwhile leaves the same records in `applied`.
    let log = read(LOG)?;
    Ok([read(FILE)?, log])
}

/// The damage of `applied`, which is written in one step: its last line must be there, and cover all others.
pub(super) fn file_damage(content: &[u8], scan: &Scan<'_>) -> Option<Damage> {
    if content.is_empty() {
        return None;
    }
    let mut lines = content.split_inclusive(|byte| *byte == b'\n');
    let last = lines.next_back().map_or(0, <[u8]>::len);
    let is_whole = match scan.lines.last().and_then(VerifiedLine::record) {
        Some(AppliedLine::End { blake3: found, .. }) => found == hex_digest(&content[..content.len() - last]),
        _ => false,
    };
    let whole = Damage { file: FILE.to_owned(), line: scan.lines.len() + 1, lost: 1, copy: None };
    if is_whole { None } else { damage(FILE, scan).or(Some(whole)) }
}

// Records in memory, in the order of the file, and the lines made of them.

/// A record, ordered by its key alone.
pub(super) struct StoredRecord {
    pub(super) resource: AppliedResource,
    /// The number of the write that stores it; 0 if a file has it.
    pub(super) write: u64,
}

impl Borrow<ResourceKey> for StoredRecord {
    fn borrow(&self) -> &ResourceKey {
        &self.resource.key
    }
}

impl Ord for StoredRecord {
    fn cmp(&self, other: &Self) -> Ordering {
        self.resource.key.cmp(&other.resource.key)
    }
}

impl PartialOrd for StoredRecord {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for StoredRecord {
    fn eq(&self, other: &Self) -> bool {
        self.resource.key == other.resource.key
    }
}

impl Eq for StoredRecord {}

/// Lines that are written by one call.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    json: Vec<u8>,
}

impl Lines {
    pub(super) fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.json.clear();
        serde_json::to_writer(&mut self.json, line)?;
        let start = self.text.len();
        self.text.push_str(std::str::from_utf8(&self.json).map_err(io::Error::other)?);
        seal_last(&mut self.text, start);
        Ok(())
    }

    /// Adds the line of a record. `numbers` has the number of each configuration.
    pub(super) fn add_record(&mut self, record: &StoredRecord, numbers: &BTreeMap<&str, u32>) {
        let g = numbers.get(record.resource.key.configuration.as_str()).copied().unwrap_or_default();
        let start = self.text.len();
        add_put(&mut self.text, g, &record.resource);
        seal_last(&mut self.text, start);
    }

    /// Adds lines that are made already.
    pub(super) fn add_sealed(&mut self, records: &[SealedRecord]) {
        // The last line of the file follows them.
        self.text.reserve(records.iter().map(|record| record.text().len()).sum::<usize>() + ONE_LINE);
        records.iter().for_each(|record| self.text.push_str(record.text()));
    }
}
