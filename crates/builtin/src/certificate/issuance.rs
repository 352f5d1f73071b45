//! Issuing a certificate, and generating a key if none exists.

use std::time::{Duration, SystemTime};

use uphold_resource::{AbsolutePath, Act, Error, ErrorKind, NewFile, Result};

use super::checks::is_host;
use super::found::{self, FoundKey};
use super::key_pair::{self, KeyPair};
use super::request::{Request, Signer};
use super::resource::{Certificate, CertificateChange, CertificateGoal};
use super::subject::Parts;
use super::x509::X509;

pub(super) const DAY: Duration = Duration::from_secs(24 * 3600);

impl Certificate {
    /// Issues a new certificate. The key is written first: if a later step fails, the next run continues from
    /// there.
    pub(super) fn issue(&self, goal: &CertificateGoal, host: &Act<'_>) -> Result<()> {
        let mut serial = [0; 16];
        host.fill_random(&mut serial)?;
        // Positive, and never zero.
        serial[0] = serial[0] & 0x7f | 0x40;
        let signer = self.authority().map(|authority| authority.take(host)).transpose()?;
        let now = host.clock().now();
        let not_after = self.end(signer.as_ref().map(|(x509, _)| x509), now)?;
        let key = self.key_pair(goal.key_mode.bits(), host)?;
        let no_parts = Parts::new();
        let request = Request {
            common_name: &goal.common_name,
            parts: goal.subject.as_ref().unwrap_or(&no_parts),
            names: &names_of(goal),
            is_ca: goal.is_ca,
            now,
            not_after,
            serial,
        };
        let signer = match &signer {
            Some((x509, key)) => Signer { certificate: Some(x509), key },
            None => Signer { certificate: None, key: &key },
        };
        self.write(&self.path, &request.issue(&key, &signer)?, goal.mode.bits(), host)
    }

    /// Applies a change, and issues a new certificate only if its content changes.
    pub(super) fn update(
        &self,
        goal: &CertificateGoal,
        change: &CertificateChange,
        host: &Act<'_>,
    ) -> Result<()> {
        if is_replaced(change) {
            return self.issue(goal, host);
        }
        let changes_owner = change.ownership.is_any();
        if change.key_mode.is_some() || changes_owner {
            let access = self.ownership.access(Some(goal.key_mode.bits()), host)?;
            uphold_resource::set_access(&self.key, "a regular file", &access, host)?;
        }
        if change.mode.is_some() || changes_owner {
            let access = self.ownership.access(Some(goal.mode.bits()), host)?;
            uphold_resource::set_access(&self.path, "a regular file", &access, host)?;
        }
        Ok(())
    }

    /// The existing key, after its permissions are corrected, or a new one.
    fn key_pair(&self, mode: u32, host: &Act<'_>) -> Result<KeyPair> {
        if let Some(FoundKey { entry, pair }) = found::key(&self.key, host)? {
            let access = self.ownership.access(Some(mode), host)?;
            let matches =
                |declared: Option<u32>, found: u32| declared.is_none_or(|declared| declared == found);
            let is_kept =
                entry.mode == mode && matches(access.uid, entry.uid) && matches(access.gid, entry.gid);
            if !is_kept {
                host.edits().set_access(&self.key, &entry, &access)?;
            }
            return Ok(pair);
        }
        let text = key_pair::generate(self.key_type, host)?;
        self.write(&self.key, &text, mode, host)?;
        KeyPair::read(&text)
    }

    /// The expiry time of a new certificate.
    ///
    /// # Errors
    /// If it would be due for renewal at once.
    fn end(&self, signer: Option<&X509>, now: SystemTime) -> Result<SystemTime> {
        let wanted = now + DAY * self.days;
        let end = signer.map_or(wanted, |signer| wanted.min(signer.not_after));
        if end.duration_since(now).is_ok_and(|left| left > self.renew_before) {
            return Ok(end);
        }
        let what = format!("the certificate {} would be due for renewal as soon as it is issued", self.path);
        let hint = "renew the certificate that signs it first, or shorten `renew_before`";
        Err(Error::new(ErrorKind::Invalid, what).hint(hint))
    }

    fn write(&self, path: &AbsolutePath, text: &str, mode: u32, host: &Act<'_>) -> Result<()> {
        let access = self.ownership.access(Some(mode), host)?;
        let file = NewFile::new(text.as_bytes(), access);
        host.edits().write(path, &file)
    }
}

/// The declared or existing names; otherwise the common name, which clients no longer check by itself.
fn names_of(goal: &CertificateGoal) -> Vec<String> {
    match &goal.names {
        Some(names) => names.0.clone(),
        None if is_host(&goal.common_name) && !goal.is_ca => vec![goal.common_name.clone()],
        None => Vec::new(),
    }
}

/// Whether the change needs a new certificate.
pub(super) fn is_replaced(change: &CertificateChange) -> bool {
    change.common_name.is_some()
        || change.subject.is_some()
        || change.names.is_some()
        || change.is_ca.is_some()
        || change.valid.is_some()
}
