//! Archives, read as if they were directories.

mod contents;
mod tarball;
mod zipped;

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;

use uphold_resource::{Error, ErrorKind, Result};

pub(crate) use contents::{Contents, FoundEntry, Node};

// Archive formats.

/// The format of an archive, given by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `.tar`
    Tar,
    /// `.tar.gz`, `.tgz`
    TarGzip,
    /// `.tar.zst`, `.tzst`
    TarZstandard,
    /// `.zip`
    Zip,
}

/// File name extensions.
const ENDINGS: &[(&str, Format)] = &[
    (".tar", Format::Tar),
    (".tar.gz", Format::TarGzip),
    (".tgz", Format::TarGzip),
    (".tar.zst", Format::TarZstandard),
    (".tzst", Format::TarZstandard),
    (".zip", Format::Zip),
];

impl Format {
    /// The format of a file with this name; `None` if it is not an archive.
    pub(crate) fn of(name: &OsStr) -> Option<Self> {
        let name = name.as_bytes();
        let ending = ENDINGS.iter().find(|(end, _)| name.len() > end.len() && name.ends_with(end.as_bytes()));
        ending.map(|(_, format)| *format)
    }

    /// Unpacks the bytes of an archive into memory.
    ///
    /// # Guarantees
    /// Uses at most 64 MiB and 10,000 entries, whatever the archive claims. Links, devices and the like are recorded by name
    /// only.
    ///
    /// # Errors
    /// If it is damaged, too large, or has entries that lead out of it.
    pub(crate) fn unpack(self, archive: &[u8]) -> Result<Contents> {
        match self {
            Format::Tar => tarball::unpack(archive),
            Format::TarGzip => tarball::unpack(&tarball::gunzip(archive)?),
            Format::TarZstandard => tarball::unpack(&tarball::unzstd(archive)?),
            Format::Zip => zipped::unpack(archive),
        }
    }
}

// Limits on the unpacked size of an archive.

/// 64 MiB: far more than any configuration, and little enough to keep in memory. The limit for a single file and for the
/// whole content of an archive.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// The limit for the number of entries in an archive.
const MOST_ENTRIES: usize = 10_000;

/// The remaining allowance of an archive.
struct Budget {
    bytes: u64,
    entries: usize,
}

impl Budget {
    fn new() -> Self {
        Self { bytes: LARGEST, entries: MOST_ENTRIES }
    }

    /// Reads to the end, within the allowance.
    fn read(&mut self, source: impl Read) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let read = source.take(self.bytes + 1).read_to_end(&mut content).map_err(broken)?;
        let left = u64::try_from(read).ok().and_then(|read| self.bytes.checked_sub(read));
        self.bytes = left.ok_or_else(|| too_large("it unpacks to more than 64 MiB"))?;
        Ok(content)
    }

    /// Counts one more entry.
    fn count(&mut self) -> Result<()> {
        let too_many = || too_large(&format!("it contains more than {MOST_ENTRIES} entries"));
        self.entries = self.entries.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }
}

fn too_large(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, what).hint("put only configuration into it")
}

/// The error for data that is not a complete archive of this format.
fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Invalid, "it is damaged, or not an archive of this format").because(error)
}

#[cfg(test)]
mod format_tests {
    use super::*;

    #[test]
    fn detects_formats_by_name() {
        let check = |name: &str, expected| assert_eq!(Format::of(OsStr::new(name)), expected, "{name}");
        check("web.tar", Some(Format::Tar));
        check("web-1.0.tar.gz", Some(Format::TarGzip));
        check("web.tgz", Some(Format::TarGzip));
        check("web.tar.zst", Some(Format::TarZstandard));
        check("web.zip", Some(Format::Zip));
        check(".zip", None);
        check("web.gz", None);
        check("tar.gz", None);
        check("web.zip.hcl", None);
    }
}

#[cfg(test)]
mod budget_tests {
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
