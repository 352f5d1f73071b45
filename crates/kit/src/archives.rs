//! Archives and compressed files of any usual format.

mod compression;
mod entry;
mod tarball;
mod zipped;

use std::io::{Read, Seek, SeekFrom};

use uphold_resource::{Error, ErrorKind, OpenFile, Result};

pub use compression::{Compression, Packer, decoder};
pub use entry::{ArchiveEntry, ArchiveEntryKind};

/// The first bytes of a zip archive, and of an empty one.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Receives each entry in order, with its content.
pub type Visit<'a> = dyn FnMut(ArchiveEntry, &mut dyn Read) -> Result<()> + 'a;

/// Visits all entries of an archive: tar, plain or compressed with gzip, xz, Zstandard or bzip2, or zip. The format
/// is detected by its first bytes.
///
/// # Guarantees
/// Holds at most one entry's name in memory, and for zip the list of entries.
///
/// # Errors
/// If the archive is damaged or of another format, or of a visit.
pub fn walk(mut archive: Box<dyn OpenFile + '_>, visit: &mut Visit<'_>) -> Result<()> {
    let mut begin = Vec::new();
    (&mut archive).take(4).read_to_end(&mut begin).map_err(broken)?;
    archive.seek(SeekFrom::Start(0)).map_err(broken)?;
    if ZIP.contains(&begin.as_slice()) {
        zipped::walk(archive, visit)
    } else {
        tarball::walk(decoder(archive).map_err(broken)?, visit)
    }
}

/// The error for a file that is not a complete archive.
pub fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Invalid, "the file is damaged, or not an archive of a known format").because(error)
}
