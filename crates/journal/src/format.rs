//! The version of the journal's format.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::{Attempt, Result};
use crate::line::{Chain, VerifiedLine, scan, seal};
use crate::storage::{Durability, Part, Storage, read_if_present};

/// The format that this version writes.
pub const FORMAT: u32 = 1;

const FILE: &str = "format";

#[derive(Debug, Serialize, Deserialize)]
struct FormatFile {
    format: u32,
    /// The oldest format whose versions may change this journal.
    oldest_reader: u32,
    /// The version of Uphold.
    version: String,
}

/// The journal was written by a newer version that this one must not change.
///
/// Nothing but `pending.1` is changed; newer versions read that file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerJournal {
    /// The version of Uphold that wrote it.
    pub version: String,
}

impl fmt::Display for NewerJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "journal of Uphold {}; running without history", self.version)
    }
}

/// The format of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No file, or a damaged one: it is written again.
    Missing,
    /// This version can read and write it.
    Usable,
    Newer(NewerJournal),
}

pub(crate) fn read(storage: &dyn Storage) -> Result<Found> {
    let content = read_if_present(storage, FILE, Part::Start(4096)).attempt("read", FILE)?;
    let found = scan(&content, Chain::None).lines.first().and_then(VerifiedLine::record::<FormatFile>);
    Ok(match found {
        None => Found::Missing,
        Some(found) if found.oldest_reader > FORMAT => Found::Newer(NewerJournal { version: found.version }),
        Some(_) => Found::Usable,
    })
}

pub(crate) fn write(storage: &dyn Storage, version: &str) -> Result<()> {
    let file = FormatFile { format: FORMAT, oldest_reader: FORMAT, version: version.to_owned() };
    let line = seal(&file).attempt("encode", FILE)?;
    storage.replace(FILE, line.as_bytes(), Durability::Unsynced).attempt("write", FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::MemoryStorage;

    #[test]
    fn a_journal_that_needs_a_newer_version_is_recognized() {
        let disk = MemoryStorage::default();
        assert_eq!(read(&disk).unwrap(), Found::Missing);
        write(&disk, "0.1.0").unwrap();
        assert_eq!(read(&disk).unwrap(), Found::Usable);
        for (format, oldest_reader, is_usable) in [(2, 1, true), (3, 2, false)] {
            let file = FormatFile { format, oldest_reader, version: "0.9".into() };
            let line = seal(&file).unwrap();
            disk.replace(FILE, line.as_bytes(), Durability::Synced).unwrap();
            assert_eq!(read(&disk).unwrap() == Found::Usable, is_usable);
        }
        let Found::Newer(newer) = read(&disk).unwrap() else { panic!("it is newer") };
        assert_eq!(newer.to_string(), "journal of Uphold 0.9; running without history");
    }
}
