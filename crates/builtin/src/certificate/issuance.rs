//! Issuing a certificate, and generating a key if none exists.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use sha1::{Digest, Sha1};
use uphold_resource::{AbsolutePath, Act, Error, ErrorKind, NewFile, Result, Value};

use super::der::{bit_string, context, integer, sequence, tag, value};
use super::key_pair::KeyPair;
use super::state::FoundKey;
use super::subject::Parts;
use super::x509::X509;
use super::{Certificate, CertificateChange, CertificateGoal, der, key_pair, state, subject, x509};

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
        if let Some(FoundKey { entry, pair }) = state::key(&self.key, host)? {
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

// Building and signing a certificate.

/// Tolerance for clients with slow clocks.
const BEFORE: Duration = Duration::from_secs(300);

/// The content of a certificate to issue.
pub(super) struct Request<'a> {
    pub(super) common_name: &'a str,
    pub(super) parts: &'a Parts,
    pub(super) names: &'a [String],
    pub(super) is_ca: bool,
    pub(super) now: SystemTime,
    pub(super) not_after: SystemTime,
    /// Random, so that no two certificates share a serial number.
    pub(super) serial: [u8; 16],
}

/// The signer of a certificate.
pub(super) struct Signer<'a> {
    /// The signer's certificate; none for a self-signed certificate.
    pub(super) certificate: Option<&'a X509>,
    pub(super) key: &'a KeyPair,
}

impl Request<'_> {
    /// Issues a certificate for `key`, in PEM format.
    ///
    /// # Errors
    /// If it cannot be signed.
    pub(super) fn issue(&self, key: &KeyPair, signer: &Signer<'_>) -> Result<String> {
        let subject = subject::write(self.common_name, self.parts);
        let issuer = signer.certificate.map_or(&subject, |authority| &authority.subject);
        let validity = sequence(&[time(self.now - BEFORE)?, time(self.not_after)?]);
        let algorithm = signer.key.algorithm();
        let body = sequence(&[
            value(context(0, true), &integer(&[2])),
            integer(&self.serial),
            algorithm.clone(),
            issuer.clone(),
            validity,
            subject.clone(),
            key.public_info(),
            value(context(3, true), &self.extensions(key, signer.key)),
        ]);
        let signature = bit_string(&signer.key.sign(&body)?);
        Ok(x509::write("CERTIFICATE", &sequence(&[body, algorithm, signature])))
    }

    fn extensions(&self, key: &KeyPair, signer: &KeyPair) -> Vec<u8> {
        let constraints = if self.is_ca { value(tag::BOOLEAN, &[0xff]) } else { Vec::new() };
        let mut all = vec![
            extension(der::BASIC_CONSTRAINTS, true, &sequence(&[constraints])),
            extension(der::KEY_USAGE, true, &self.usage(key)),
            extension(der::SUBJECT_KEY, false, &value(tag::OCTET_STRING, &key_id(key))),
            extension(der::AUTHORITY_KEY, false, &sequence(&[value(context(0, false), &key_id(signer))])),
        ];
        if !self.is_ca {
            let usages = sequence(&[der::der(der::SERVER_AUTH), der::der(der::CLIENT_AUTH)]);
            all.push(extension(der::EXTENDED_KEY_USAGE, false, &usages));
        }
        if !self.names.is_empty() {
            let names: Vec<_> = self.names.iter().map(|name| alternative(name)).collect();
            all.push(extension(der::ALTERNATIVE_NAMES, false, &sequence(&names)));
        }
        sequence(&all)
    }

    /// Bits from the left: 0 digital signature, 2 key encipherment, 5 certificate signing, 6 CRL signing. The first
    /// byte is the number of unused bits at the end.
    fn usage(&self, key: &KeyPair) -> Vec<u8> {
        match (self.is_ca, key.encrypts()) {
            (true, _) => value(tag::BIT_STRING, &[1, 0b0000_0110]),
            (false, true) => value(tag::BIT_STRING, &[5, 0b1010_0000]),
            (false, false) => value(tag::BIT_STRING, &[7, 0b1000_0000]),
        }
    }
}

fn extension(number: &[u8], critical: bool, content: &[u8]) -> Vec<u8> {
    let flag = if critical { value(tag::BOOLEAN, &[0xff]) } else { Vec::new() };
    sequence(&[der::der(number), flag, value(tag::OCTET_STRING, content)])
}

/// The key identifier by which clients find the signer's certificate.
fn key_id(key: &KeyPair) -> [u8; 20] {
    Sha1::digest(key.public()).into()
}

fn alternative(name: &str) -> Vec<u8> {
    match name.parse() {
        Ok(IpAddr::V4(address)) => value(context(7, false), &address.octets()),
        Ok(IpAddr::V6(address)) => value(context(7, false), &address.octets()),
        Err(_) => value(context(2, false), name.as_bytes()),
    }
}

/// A time with a two-digit year up to 2049, as RFC 5280 requires.
fn time(moment: SystemTime) -> Result<Vec<u8>> {
    let stamp = Timestamp::try_from(moment)
        .map_err(|error| Error::failed("the system clock shows an impossible time").because(error))?;
    let long = stamp.strftime("%Y%m%d%H%M%SZ").to_string();
    let short = long.get(..4).is_some_and(|year| ("1950".."2050").contains(&year));
    Ok(if short {
        value(tag::UTC_TIME, &long.as_bytes()[2..])
    } else {
        value(tag::GENERALIZED_TIME, long.as_bytes())
    })
}

// Validation of the properties of a certificate.

pub(super) fn is_name(value: &Value) -> bool {
    matches!(value, Value::Text(text) if (1..=64).contains(&text.chars().count()) && !text.contains(char::is_control))
}

pub(super) fn are_hosts(value: &Value) -> bool {
    matches!(value, Value::List(names)
        if names.iter().all(|name| matches!(name, Value::Text(name) if is_host(name))))
}

/// Whether `name` is a host name, optionally with a wildcard, or an IP address.
pub(super) fn is_host(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let labels = name.strip_prefix("*.").unwrap_or(name);
    name.parse::<IpAddr>().is_ok() || (name.len() <= 253 && labels.split('.').all(is_label))
}

pub(super) fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}
