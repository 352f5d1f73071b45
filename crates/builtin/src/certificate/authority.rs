//! The certificate authority that signs a certificate.

use std::path::Path;

use uphold_resource::{AbsolutePath, Act, Error, ErrorKind, Reading, Result};

use super::key_pair::KeyPair;
use super::x509::X509;

/// The paths of the authority's certificate and key.
#[derive(Clone, Copy)]
pub(super) struct Authority<'a> {
    pub(super) certificate: &'a AbsolutePath,
    pub(super) key: &'a AbsolutePath,
}

impl Authority<'_> {
    /// The authority's certificate; none if it does not exist yet.
    ///
    /// # Errors
    /// If the file is not a certificate.
    pub(super) fn look(self, host: &Reading<'_>) -> Result<Option<X509>> {
        if host.files().look(self.certificate)?.is_none() {
            return Ok(None);
        }
        let content = host.files().read(self.certificate, 0)?;
        let found = X509::read(&String::from_utf8_lossy(&content));
        found.map(Some).ok_or_else(|| {
            let what = format!("{} is not a certificate", self.certificate);
            Error::new(ErrorKind::Invalid, what)
                .hint("set `signed_by` to the path of a certificate in PEM format")
        })
    }

    /// The authority's certificate and key, for signing.
    pub(super) fn take(self, host: &Act<'_>) -> Result<(X509, KeyPair)> {
        let missing = |path: &Path| {
            let what = format!("{} does not exist", host.shown(path).display());
            Error::new(ErrorKind::Missing, what)
                .hint("declare the signing certificate as a `certificate`, or correct `signed_by` and `signing_key`")
        };
        let certificate = self.look(host)?.ok_or_else(|| missing(self.certificate))?;
        if !certificate.is_ca {
            let what = format!(
                "{} is not a certificate authority and cannot sign other certificates",
                self.certificate
            );
            return Err(Error::new(ErrorKind::Invalid, what)
                .hint("set `is_ca = true` in the block of that certificate"));
        }
        if host.files().look(self.key)?.is_none() {
            return Err(missing(self.key));
        }
        let key = KeyPair::read(&String::from_utf8_lossy(&host.files().read(self.key, 0)?))
            .map_err(|error| error.while_(format!("cannot sign with the key {}", self.key)))?;
        if key.public_info() == certificate.public_info {
            return Ok((certificate, key));
        }
        let what = format!("{} is not the key of {}", self.key, self.certificate);
        Err(Error::new(ErrorKind::Invalid, what)
            .hint("set `signing_key` to the key of the certificate `signed_by`"))
    }
}
