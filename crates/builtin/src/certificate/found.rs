//! What is at the paths of a certificate and its key.

use std::path::Path;

use uphold_resource::{Entry, Reading, Result};

use super::key_pair::KeyPair;
use super::x509::X509;
use crate::regular_file;

/// The file of a certificate.
pub(super) struct FoundCertificate {
    pub(super) entry: Entry,
    pub(super) text: String,
    /// What it says; none if it is no certificate.
    pub(super) x509: Option<X509>,
}

/// The file of a key.
pub(super) struct FoundKey {
    pub(super) entry: Entry,
    pub(super) pair: KeyPair,
}

/// The certificate at `path`.
///
/// # Errors
/// If it is no regular file, or cannot be read.
pub(super) fn certificate(path: &Path, host: &Reading<'_>) -> Result<Option<FoundCertificate>> {
    let Some((entry, text)) = read(path, host)? else { return Ok(None) };
    let x509 = X509::read(&text);
    Ok(Some(FoundCertificate { entry, text, x509 }))
}

/// The key at `path`.
///
/// # Errors
/// If something else is there: it may be somebody's only key, so it is never replaced.
pub(super) fn key(path: &Path, host: &Reading<'_>) -> Result<Option<FoundKey>> {
    let Some((entry, text)) = read(path, host)? else { return Ok(None) };
    let pair =
        KeyPair::read(&text).map_err(|error| error.while_(format!("cannot use {}", path.display())))?;
    Ok(Some(FoundKey { entry, pair }))
}

fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(Entry, String)>> {
    let found = regular_file::read(path, host)?;
    Ok(found.map(|(entry, content)| (entry, String::from_utf8_lossy(&content).into_owned())))
}
