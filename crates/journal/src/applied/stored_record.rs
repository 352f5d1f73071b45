//! Records in memory, in the order of the file, and the lines made of them.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use super::lines::{NewLine, SealedRecord};
use super::record::AppliedResource;
use crate::line::seal_json;
use crate::resource_key::ResourceKey;

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
    sum: String,
}

impl Lines {
    pub(super) fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.json.clear();
        serde_json::to_writer(&mut self.json, line)?;
        let json = std::str::from_utf8(&self.json).map_err(io::Error::other)?;
        self.sum.clear();
        seal_json(json, &mut self.sum, &mut self.text);
        Ok(())
    }

    /// Adds the line of a record. `numbers` has the number of each configuration.
    pub(super) fn add_record(
        &mut self,
        record: &StoredRecord,
        numbers: &BTreeMap<&str, u32>,
    ) -> io::Result<()> {
        let g = numbers.get(record.resource.key.configuration.as_str()).copied().unwrap_or_default();
        self.add(&NewLine::put(g, &record.resource))
    }

    /// Adds lines that are made already.
    pub(super) fn add_sealed(
        &mut self,
        records: &[(ResourceKey, SealedRecord)],
        numbers: &BTreeMap<&str, u32>,
    ) {
        for (key, record) in records {
            let number = numbers.get(key.configuration.as_str()).copied().unwrap_or_default();
            self.text.push_str(record.line(number).unwrap_or_default());
        }
    }
}
