//! The existing files of a certificate and its key.

use std::path::Path;

use uphold_kit::regular_file;
use uphold_resource::{Entry, Reading, Result};

use super::key_pair::KeyPair;
use super::x509::X509;

/// An existing certificate file.
pub(super) struct FoundCertificate {
    pub(super) entry: Entry,
    pub(super) text: String,
    /// The parsed certificate; none if the file is not a certificate.
    pub(super) x509: Option<X509>,
}

/// An existing key file.
pub(super) struct FoundKey {
    pub(super) entry: Entry,
    pub(super) pair: KeyPair,
}

/// Reads the certificate at `path`.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub(super) fn certificate(path: &Path, host: &Reading<'_>) -> Result<Option<FoundCertificate>> {
    let Some((entry, text)) = read(path, host)? else { return Ok(None) };
    let x509 = X509::read(&text);
    Ok(Some(FoundCertificate { entry, text, x509 }))
}

/// Reads the key at `path`.
///
/// # Errors
/// If the file is not a key. It is never replaced: it may be the only copy of a key.
pub(super) fn key(path: &Path, host: &Reading<'_>) -> Result<Option<FoundKey>> {
    let Some((entry, text)) = read(path, host)? else { return Ok(None) };
    let pair = KeyPair::read(&text)
        .map_err(|error| error.while_(format!("cannot use the private key {}", path.display())))?;
    Ok(Some(FoundKey { entry, pair }))
}

fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(Entry, String)>> {
    let found = regular_file::read(path, host)?;
    Ok(found.map(|(entry, content)| (entry, String::from_utf8_lossy(&content).into_owned())))
}
