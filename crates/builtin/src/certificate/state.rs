//! The current state of a certificate.

use std::path::Path;

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use uphold_kit::ownership::OwnershipState;
use uphold_kit::regular_file;
use uphold_resource::{Entry, Level, Look, Mode, Reading, Result};

use crate::edits::Aliases;

use super::key_pair::KeyPair;
use super::x509::X509;
use super::{Certificate, CertificateState};

impl Certificate {
    /// The reason why a certificate must be issued again; none if it is valid.
    fn fault(&self, x509: &X509, key: Option<&FoundKey>, host: &Reading<'_>) -> Result<Option<&'static str>> {
        let left = x509.not_after.duration_since(host.clock().now()).unwrap_or_default();
        if left <= self.renew_before {
            return Ok(Some("it is due for renewal"));
        }
        if key.is_none_or(|key| key.pair.public_info() != x509.public_info) {
            return Ok(Some("it does not match its key"));
        }
        let is_signed = match self.authority() {
            Some(authority) => authority.look(host)?.is_some_and(|signer| x509.is_signed_by(&signer)),
            None => x509.is_self_signed(),
        };
        Ok((!is_signed).then_some("it was signed by another certificate"))
    }

    /// The current state, also if the file is not a certificate.
    pub(super) fn state(&self, file: FoundCertificate, look: &Look<'_>) -> Result<CertificateState> {
        let key = key(&self.key, look)?;
        let fault = match &file.x509 {
            Some(x509) => self.fault(x509, key.as_ref(), look)?,
            None => Some("the file is not a certificate"),
        };
        if let Some(fault) = fault {
            look.report(Level::Debug, &format!("{} must be issued again: {fault}", self.path));
        }
        // Of certificate and key, the file whose owner differs is reported.
        let key_entry = key.as_ref().map_or(&file.entry, |key| &key.entry);
        let (of_key, of_file) =
            (self.ownership.load(key_entry, look)?, self.ownership.load(&file.entry, look)?);
        let is_owner = self.ownership.owner.get().is_none_or(|declared| *declared == of_key.owner);
        let is_group = self.ownership.group.get().is_none_or(|declared| *declared == of_key.group);
        let x509 = file.x509.as_ref();
        Ok(CertificateState {
            common_name: x509.map(|x509| x509.common_name.clone()).unwrap_or_default(),
            subject: x509.map(|x509| x509.parts.clone()).unwrap_or_default(),
            names: Aliases(x509.map(|x509| x509.names.clone()).unwrap_or_default()),
            is_ca: x509.is_some_and(|x509| x509.is_ca),
            valid: fault.is_none(),
            mode: Mode::new(file.entry.mode),
            key_mode: key.as_ref().map_or_else(|| self.missing_key_mode(), |key| Mode::new(key.entry.mode)),
            ownership: OwnershipState {
                owner: if is_owner { of_file.owner } else { of_key.owner },
                group: if is_group { of_file.group } else { of_key.group },
            },
            not_after: x509
                .and_then(|x509| Timestamp::try_from(x509.not_after).ok())
                .map(|end| end.to_string()),
            fingerprint: x509.map(|x509| fingerprint(&x509.der)),
            pem: file.text,
        })
    }

    /// A missing key is reported through `valid` only.
    fn missing_key_mode(&self) -> Mode {
        self.key_mode.get().cloned().unwrap_or(Mode::new(0o600))
    }
}

fn fingerprint(der: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(der))
}

// The existing files of a certificate and its key.

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
