//! Digests of files, read in pieces.

use std::io::Read;
use std::path::Path;

use uphold_resource::{Error, Map, Reading, Result, Value};

use crate::fetch::{Checksum, Hasher};

/// The digest of a file that a change reads, for saved plans; unknown if it cannot be read yet.
pub(crate) fn input(property: &str, digest: Result<Checksum>) -> Map {
    let value = digest.map_or_else(|_| Value::unknown(property), |digest| Value::text(digest.to_string()));
    Map::from([(format!("the content of {property}").into(), value)])
}

/// The number of bytes read at once.
const PIECE: usize = 64 * 1024;

/// The digest of the regular file at `path`.
pub(crate) fn file(path: &Path, mut hasher: Hasher, host: &Reading<'_>) -> Result<Checksum> {
    each(path, host, |piece| {
        hasher.update(piece);
        Ok(())
    })?;
    Ok(hasher.finish())
}

/// Passes the regular file at `path` to `look`, piece by piece.
pub(crate) fn each(path: &Path, host: &Reading<'_>, mut look: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut file = host.files().open(path)?;
    let mut buffer = vec![0; PIECE];
    loop {
        match file.read(&mut buffer).map_err(|error| Error::io("read", path, error))? {
            0 => return Ok(()),
            read => look(&buffer[..read])?,
        }
    }
}
