//! The names of run files: `000812.jsonl`, and `000812.jsonl.gz` when they are compressed.

use std::collections::BTreeMap;
use std::io::{self, Read};

use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};

use crate::failure::{Attempt, Result};
use crate::storage::{Part, Storage, StoredFile};

pub(crate) const FOLDER: &str = "runs";

/// No run file is larger; a damaged one could decompress to anything.
const MOST_BYTES: u64 = 256 << 20;

/// The first line of a run is shorter.
const FIRST_LINE: usize = 64 << 10;

/// The last lines of most runs are shorter.
const LAST_LINES: usize = 64 << 10;

/// A run file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunFile {
    pub(super) run: u64,
    pub(super) is_compressed: bool,
    pub(super) size: u64,
}

impl RunFile {
    pub(super) fn plain(run: u64) -> Self {
        Self { run, is_compressed: false, size: 0 }
    }

    pub(super) fn name(&self) -> String {
        let end = if self.is_compressed { ".gz" } else { "" };
        format!("{FOLDER}/{:06}.jsonl{end}", self.run)
    }

    /// The lines of the file. What can be decompressed of a damaged file is returned.
    pub(super) fn read(&self, storage: &dyn Storage) -> Result<Vec<u8>> {
        self.read_part(storage, Part::All, MOST_BYTES)
    }

    /// Enough of the file for its first line: a run of 10,000 changes has megabytes.
    pub(super) fn read_start(&self, storage: &dyn Storage) -> Result<Vec<u8>> {
        self.read_part(storage, Part::Start(FIRST_LINE), FIRST_LINE as u64)
    }

    /// Enough of the file for its last lines, in most cases. A compressed file is read as a whole.
    pub(super) fn read_end(&self, storage: &dyn Storage) -> Result<Vec<u8>> {
        let part = if self.is_compressed { Part::All } else { Part::End(LAST_LINES) };
        self.read_part(storage, part, MOST_BYTES)
    }

    fn read_part(&self, storage: &dyn Storage, part: Part, most: u64) -> Result<Vec<u8>> {
        let name = self.name();
        let content = storage.read(&name, part).attempt("read", &name)?;
        if !self.is_compressed {
            return Ok(content);
        }
        let mut lines = Vec::new();
        let _ = GzDecoder::new(&*content).take(most).read_to_end(&mut lines);
        Ok(lines)
    }
}

/// The run files by number.
pub(super) fn files(storage: &dyn Storage) -> Result<BTreeMap<u64, RunFile>> {
    Ok(run_files(&storage.list(FOLDER).attempt("list", FOLDER)?))
}

/// The run files among the files of their folder. While a file is being compressed it exists twice; the plain one counts.
pub(super) fn run_files(stored: &[StoredFile]) -> BTreeMap<u64, RunFile> {
    let mut files = BTreeMap::new();
    for stored in stored {
        let (number, is_compressed) = match stored.name.strip_suffix(".jsonl.gz") {
            Some(number) => (number, true),
            None => (stored.name.strip_suffix(".jsonl").unwrap_or_default(), false),
        };
        let Ok(run) = number.parse() else { continue };
        let file = RunFile { run, is_compressed, size: stored.size };
        if !is_compressed || !files.contains_key(&run) {
            files.insert(run, file);
        }
    }
    files
}

pub(crate) fn compressed(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    GzEncoder::new(content, Compression::default()).read_to_end(&mut compressed)?;
    Ok(compressed)
}
