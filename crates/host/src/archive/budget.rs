//! How much an archive may unpack to.

use std::io::Read;

use uphold_resource::{Error, ErrorKind, Result};

/// 64 MiB: far more than any configuration, and little enough to keep in memory. Holds for a file and for
/// all that is in an archive.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// Files, directories and all else in an archive.
const MOST_ENTRIES: usize = 10_000;

/// What is left of an archive's allowance.
pub(super) struct Budget {
    bytes: u64,
    entries: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { bytes: LARGEST, entries: MOST_ENTRIES }
    }

    /// Reads to the end, on account.
    pub(super) fn read(&mut self, source: impl Read) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let read = source.take(self.bytes + 1).read_to_end(&mut content).map_err(broken)?;
        let left = u64::try_from(read).ok().and_then(|read| self.bytes.checked_sub(read));
        self.bytes = left.ok_or_else(|| too_large("it unpacks to more than 64 MiB"))?;
        Ok(content)
    }

    /// One more entry.
    pub(super) fn count(&mut self) -> Result<()> {
        let too_many = || too_large(&format!("it holds more than {MOST_ENTRIES} entries"));
        self.entries = self.entries.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }
}

fn too_large(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, what).hint("put only configuration into it")
}

/// What is not an archive of this format, or not all of one.
pub(super) fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Invalid, "it is damaged, or no such archive").because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowance_is_for_all_together() {
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
    fn entries_are_counted() {
        let mut budget = Budget::new();
        assert_eq!((0..MOST_ENTRIES).filter(|_| budget.count().is_err()).count(), 0);
        assert_eq!(budget.count().unwrap_err().to_string(), "it holds more than 10000 entries");
    }
}
