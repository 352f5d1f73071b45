//! A file that is generated from others, reproducibly.
//!
//! ```
//! use std::io::Write;
//! use std::path::Path;
//!
//! use uphold_kit::generated_file::{self, unwritable};
//! use uphold_kit::prelude::*;
//!
//! fn bundle(parts: &[AbsolutePath], to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
//!     for part in parts {
//!         regular_file::each_piece(part, host, |piece| to.write_all(piece).map_err(unwritable))?;
//!     }
//!     Ok(())
//! }
//!
//! /// Whether the bundle exists with the current content of its parts.
//! fn is_current(path: &Path, parts: &[AbsolutePath], look: &Look<'_>) -> Result<bool> {
//!     let found = generated_file::load(path, true, &|to| bundle(parts, to, look), look)?;
//!     Ok(found.is_some_and(|found| found.is_current))
//! }
//! ```

use std::io::{self, Write};
use std::path::Path;

use uphold_resource::{Act, Entry, Error, Look, Place, Receiver, Result};

use crate::checksum::{Algorithm, Checksum, Hasher};
use crate::regular_file;

/// Writes the whole content of the file. The same sources must give the same bytes.
pub type Make<'a> = dyn Fn(&mut dyn Write) -> Result<()> + 'a;

/// A generated file that exists.
pub struct GeneratedFile {
    /// Its type, size, owner and mode.
    pub entry: Entry,
    /// Whether it is the same as a newly generated one; true if that was not requested.
    pub is_current: bool,
    /// Its digest, if it was compared, or if the property `digest` is needed.
    pub digest: Option<Checksum>,
}

/// Loads the file at `path`. If `compare` is true, generates it to compare the digests.
///
/// # Errors
/// If it cannot be read or generated, or is not a regular file.
pub fn load(path: &Path, compare: bool, make: &Make<'_>, look: &Look<'_>) -> Result<Option<GeneratedFile>> {
    let Some(entry) = regular_file::look(path, look)? else { return Ok(None) };
    let digest = if compare || look.needs("digest") {
        Some(Checksum::of_file(path, Algorithm::Sha256, look)?)
    } else {
        None
    };
    let is_current = !compare || digest == Some(self::digest(make)?);
    Ok(Some(GeneratedFile { entry, is_current, digest }))
}

/// The digest that the file would have; its content is discarded.
///
/// # Errors
/// The failure of `make`.
pub fn digest(make: &Make<'_>) -> Result<Checksum> {
    let mut measured = Measured(Hasher::new(Algorithm::Sha256));
    make(&mut measured)?;
    Ok(measured.0.finish())
}

/// Generates the file and puts it at `path`.
///
/// # Errors
/// The failure of `make`, and then nothing is written; or that of the machine.
pub fn put(path: &Path, place: &Place<'_>, make: &Make<'_>, host: &Act<'_>) -> Result<()> {
    let mut received = Received(host.edits().receive(path)?);
    received.0.restart()?;
    match make(&mut received) {
        Ok(()) => received.0.put(place),
        Err(error) => received.0.discard().and(Err(error)),
    }
}

/// Converts a failure of a writer that [`Make`] wrote to: the error of the machine, if it has one.
pub fn unwritable(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::failed("cannot write the generated file").because(error),
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
