//! A file that is made of others, again and again the same.

use std::io::{self, Write};
use std::path::Path;

use uphold_resource::{Act, Entry, Error, Place, Reading, Receiver, Result};

use crate::fetch::{Checksum, Copy, Hasher, Sort};
use crate::{digesting, regular_file};

/// Writes the whole file.
pub(crate) type Make<'a> = dyn Fn(&mut dyn Write) -> Result<()> + 'a;

/// What is there.
pub(crate) struct Found {
    pub(crate) entry: Entry,
    /// What it is, compared with what it is made of; current unless that was asked.
    pub(crate) copy: Copy,
    /// Its digest, if somebody needs it.
    pub(crate) digest: Option<Checksum>,
}

/// Looks at `path`, and at whether that is what would be made, if it is `asked`.
///
/// # Errors
/// If it cannot be read or made, or is no regular file.
pub(crate) fn look(path: &Path, asked: bool, make: &Make<'_>, host: &Reading<'_>) -> Result<Option<Found>> {
    let Some(entry) = regular_file::look(path, host)? else { return Ok(None) };
    let digest = match asked || host.needs("digest") {
        true => Some(digesting::file(path, Hasher::new(Sort::Sha256), host)?),
        false => None,
    };
    let is_current = !asked || digest == Some(self::digest(make)?);
    let copy = if is_current { Copy::Current } else { Copy::Outdated };
    Ok(Some(Found { entry, copy, digest }))
}

/// The digest that the file would have. Nothing of it is kept.
pub(crate) fn digest(make: &Make<'_>) -> Result<Checksum> {
    let mut measured = Measured(Hasher::new(Sort::Sha256));
    make(&mut measured)?;
    Ok(measured.0.finish())
}

/// Makes the file, and puts it at `path`.
pub(crate) fn put(path: &Path, place: &Place<'_>, make: &Make<'_>, host: &Act<'_>) -> Result<()> {
    let mut received = Received(host.edits().receive(path)?);
    received.0.restart()?;
    match make(&mut received) {
        Ok(()) => received.0.put(place),
        Err(error) => received.0.discard().and(Err(error)),
    }
}

/// What writing to it failed with.
pub(crate) fn unwritable(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::failed("cannot pack it").because(error),
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
