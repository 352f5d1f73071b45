//! Building and signing a certificate.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use sha1::{Digest, Sha1};
use uphold_resource::{Error, Result};

use super::der::{bit_string, context, integer, sequence, tag, value};
use super::key_pair::KeyPair;
use super::subject::{self, Parts};
use super::x509::X509;
use super::{oid, pem};

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
        Ok(pem::write("CERTIFICATE", &sequence(&[body, algorithm, signature])))
    }

    fn extensions(&self, key: &KeyPair, signer: &KeyPair) -> Vec<u8> {
        let constraints = if self.is_ca { value(tag::BOOLEAN, &[0xff]) } else { Vec::new() };
        let mut all = vec![
            extension(oid::BASIC_CONSTRAINTS, true, &sequence(&[constraints])),
            extension(oid::KEY_USAGE, true, &self.usage(key)),
            extension(oid::SUBJECT_KEY, false, &value(tag::OCTET_STRING, &key_id(key))),
            extension(oid::AUTHORITY_KEY, false, &sequence(&[value(context(0, false), &key_id(signer))])),
        ];
        if !self.is_ca {
            let usages = sequence(&[oid::der(oid::SERVER_AUTH), oid::der(oid::CLIENT_AUTH)]);
            all.push(extension(oid::EXTENDED_KEY_USAGE, false, &usages));
        }
        if !self.names.is_empty() {
            let names: Vec<_> = self.names.iter().map(|name| alternative(name)).collect();
            all.push(extension(oid::ALTERNATIVE_NAMES, false, &sequence(&names)));
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
    sequence(&[oid::der(number), flag, value(tag::OCTET_STRING, content)])
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
