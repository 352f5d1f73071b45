//! Limits on the unpacked size of an archive.

use std::io::Read;

use uphold_resource::{Error, ErrorKind, Result};

/// 64 MiB: far more than any configuration, and little enough to keep in memory. The limit for a single file and for the
/// whole content of an archive.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// The limit for the number of entries in an archive.
const MOST_ENTRIES: usize = 10_000;

/// The remaining allowance of an archive.
pub(super) struct Budget {
    bytes: u64,
    entries: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { bytes: LARGEST, entries: MOST_ENTRIES }
    }

    /// Reads to the end, within the allowance.
    pub(super) fn read(&mut self, source: impl Read) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let read = source.take(self.bytes + 1).read_to_end(&mut content).map_err(broken)?;
        let left = u64::try_from(read).ok().and_then(|read| self.bytes.checked_sub(read));
        self.bytes = left.ok_or_else(|| too_large("it unpacks to more than 64 MiB"))?;
        Ok(content)
    }

    /// Counts one more entry.
    pub(super) fn count(&mut self) -> Result<()> {
        let too_many = || too_large(&format!("it contains more than {MOST_ENTRIES} entries"));
        self.entries = self.entries.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }
}

fn too_large(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, what).hint("put only configuration into it")
}

/// The error for data that is not a complete archive of this format.
pub(super) fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Invalid, "it is damaged, or not an archive of this format").because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_total_size() {
        let mut budget = Budget::new();
        let zeros = |size| std::io::repeat(0).take(size);
        assert_eq!(budget.read(zeros(LARGEST - 1)).unwrap().len() as u64, LARGEST - 1);
        assert_eq!(budget.read(zeros(1)).unwrap(), [0]);
        assert!(budget.read(zeros(0)).unwrap().is_empty());
        assert_eq!(
            budget.read(std::io::repeat(0)).unwrap_err().to_string(),
            "it unpacks to more than 64 MiB"
        );
    }

    #[test]
    fn limits_the_number_of_entries() {
        let mut budget = Budget::new();
        assert_eq!((0..MOST_ENTRIES).filter(|_| budget.count().is_err()).count(), 0);
        assert_eq!(budget.count().unwrap_err().to_string(), "it contains more than 10000 entries");
    }
}
