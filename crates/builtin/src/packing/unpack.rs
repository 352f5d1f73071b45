//! Going through an archive, whatever its format.

use std::io::{Read, Seek, SeekFrom};

use uphold_resource::{Error, ErrorKind, OpenFile, Result};

use super::item::Item;
use super::{compression, tarball, zipped};

/// How a zip archive begins, and an empty one.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Is shown each entry of an archive in order, with what it contains.
pub(crate) type Visit<'a> = dyn FnMut(Item, &mut dyn Read) -> Result<()> + 'a;

/// Shows all entries of an archive: tar, plain or compressed by gzip, xz, Zstandard or bzip2, or zip. Its first
/// bytes tell which, not its name.
///
/// # Guarantees
/// Nothing of it is held in memory but one entry's name, and the list of a zip archive's entries.
pub(crate) fn walk(mut archive: Box<dyn OpenFile>, visit: &mut Visit<'_>) -> Result<()> {
    let mut begin = Vec::new();
    (&mut archive).take(4).read_to_end(&mut begin).map_err(broken)?;
    archive.seek(SeekFrom::Start(0)).map_err(broken)?;
    match ZIP.contains(&begin.as_slice()) {
        true => zipped::walk(archive, visit),
        false => tarball::walk(compression::decoder(archive).map_err(broken)?, visit),
    }
}

/// What is not an archive, or not all of one.
pub(crate) fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Invalid, "it is damaged, or no archive that is known").because(error)
}
