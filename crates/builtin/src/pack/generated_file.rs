//! A file that is generated from others, reproducibly.

use std::io::{self, Write};
use std::path::Path;

use uphold_resource::{Act, Entry, Error, Look, Place, Receiver, Result};

use crate::fetch::{Algorithm, Checksum, Copy, Hasher};
use crate::{digesting, regular_file};

/// Writes the whole file.
pub(crate) type Make<'a> = dyn Fn(&mut dyn Write) -> Result<()> + 'a;

/// The existing file.
pub(crate) struct Generated {
    pub(crate) entry: Entry,
    /// The comparison with its sources; `Current` if that was not requested.
    pub(crate) copy: Copy,
    /// Its digest, if needed.
    pub(crate) digest: Option<Checksum>,
}

/// Loads the file at `path`. If `compare` is true, generates it to compare the digests.
///
/// # Errors
/// If it cannot be read or generated, or is not a regular file.
pub(crate) fn load(
    path: &Path,
    compare: bool,
    make: &Make<'_>,
    look: &Look<'_>,
) -> Result<Option<Generated>> {
    let Some(entry) = regular_file::look(path, look)? else { return Ok(None) };
    let digest = if compare || look.needs("digest") {
        Some(digesting::file(path, Hasher::new(Algorithm::Sha256), look)?)
    } else {
        None
    };
    let is_current = !compare || digest == Some(self::digest(make)?);
    let copy = if is_current { Copy::Current } else { Copy::Outdated };
    Ok(Some(Generated { entry, copy, digest }))
}

/// The digest that the file would have. Its content is discarded.
pub(crate) fn digest(make: &Make<'_>) -> Result<Checksum> {
    let mut measured = Measured(Hasher::new(Algorithm::Sha256));
    make(&mut measured)?;
    Ok(measured.0.finish())
}

/// Generates the file and puts it at `path`.
pub(crate) fn put(path: &Path, place: &Place<'_>, make: &Make<'_>, host: &Act<'_>) -> Result<()> {
    let mut received = Received(host.edits().receive(path)?);
    received.0.restart()?;
    match make(&mut received) {
        Ok(()) => received.0.put(place),
        Err(error) => received.0.discard().and(Err(error)),
    }
}

/// Converts a failure of a writer.
pub(crate) fn unwritable(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::failed("cannot write the archive").because(error),
    }
}

struct Measured(Hasher);

impl Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Received<'a>(Box<dyn Receiver + 'a>);

impl Write for Received<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes).map(|()| bytes.len()).map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
