//! Who signs certificates.

use std::path::Path;

use uphold_resource::{AbsolutePath, Act, Error, ErrorKind, Reading, Result};

use super::key_pair::KeyPair;
use super::x509::X509;

/// Who signs: its certificate and its key.
#[derive(Clone, Copy)]
pub(super) struct Authority<'a> {
    pub(super) certificate: &'a AbsolutePath,
    pub(super) key: &'a AbsolutePath,
}

impl Authority<'_> {
    /// Its certificate, as far as it is there already.
    ///
    /// # Errors
    /// If something else is there.
    pub(super) fn look(self, host: &Reading<'_>) -> Result<Option<X509>> {
        if host.files().look(self.certificate)?.is_none() {
            return Ok(None);
        }
        let content = host.files().read(self.certificate, 0)?;
        let found = X509::read(&String::from_utf8_lossy(&content));
        found.map(Some).ok_or_else(|| {
            let what = format!("{} is no certificate", self.certificate);
            Error::new(ErrorKind::Invalid, what).hint("correct `signed_by`")
        })
    }

    /// Its certificate and key, to sign with.
    pub(super) fn take(self, host: &Act<'_>) -> Result<(X509, KeyPair)> {
        let missing = |path: &Path| {
            let what = format!("{} does not exist", path.display());
            Error::new(ErrorKind::Missing, what)
                .hint("declare who signs as a `certificate`, or correct the path")
        };
        let certificate = self.look(host)?.ok_or_else(|| missing(self.certificate))?;
        if !certificate.is_ca {
            let what = format!("{} may not sign others", self.certificate);
            return Err(Error::new(ErrorKind::Invalid, what).hint("set `is_ca = true` there"));
        }
        if host.files().look(self.key)?.is_none() {
            return Err(missing(self.key));
        }
        let key = KeyPair::read(&String::from_utf8_lossy(&host.files().read(self.key, 0)?))
            .map_err(|error| error.while_(format!("cannot sign with {}", self.key)))?;
        match key.public_info() == certificate.public_info {
            true => Ok((certificate, key)),
            false => {
                let what = format!("{} is not the key of {}", self.key, self.certificate);
                Err(Error::new(ErrorKind::Invalid, what).hint("correct `signing_key`"))
            }
        }
    }
}
