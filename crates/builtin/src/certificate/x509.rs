//! Parsing X.509 certificates.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use data_encoding::BASE64;
use jiff::tz::TimeZone;

use super::der::{Part, Reader, context, tag};
use super::key_pair::is_signed;
use super::subject::Parts;
use super::{der, subject};

/// A parsed certificate.
pub(super) struct X509 {
    pub(super) der: Vec<u8>,
    pub(super) common_name: String,
    pub(super) parts: Parts,
    /// The names of the subject and the issuer, in DER.
    pub(super) subject: Vec<u8>,
    issuer: Vec<u8>,
    pub(super) not_after: SystemTime,
    /// The public key, in DER.
    pub(super) public_info: Vec<u8>,
    pub(super) names: Vec<String>,
    pub(super) is_ca: bool,
    signed: Vec<u8>,
    algorithm: Vec<u8>,
    signature: Vec<u8>,
}

impl X509 {
    /// Parses the first certificate in a PEM text; none if it is not a valid certificate.
    pub(super) fn read(text: &str) -> Option<Self> {
        match read(text)? {
            ("CERTIFICATE", der) => Self::of(&der),
            _ => None,
        }
    }

    fn of(der: &[u8]) -> Option<Self> {
        let mut outer = Reader(der).expect(tag::SEQUENCE)?.inside();
        let signed = outer.expect(tag::SEQUENCE)?;
        let algorithm = outer.expect(tag::SEQUENCE)?.inside().expect(tag::OID)?.content.to_vec();
        let signature = outer.expect(tag::BIT_STRING)?.bits()?.to_vec();
        let mut fields = signed.inside();
        fields.optional(context(0, true));
        fields.expect(tag::INTEGER)?;
        fields.expect(tag::SEQUENCE)?;
        let issuer = fields.expect(tag::SEQUENCE)?.whole.to_vec();
        let mut validity = fields.expect(tag::SEQUENCE)?.inside();
        validity.any()?;
        let not_after = time(validity.any()?)?;
        let subject = fields.expect(tag::SEQUENCE)?.whole.to_vec();
        let public_info = fields.expect(tag::SEQUENCE)?.whole.to_vec();
        let extensions = fields.find(|part| part.tag == context(3, true));
        let (names, is_ca) = extended(extensions);
        let (common_name, parts) = subject::read(&subject);
        let signed = signed.whole.to_vec();
        Some(Self {
            der: der.to_vec(),
            common_name,
            parts,
            subject,
            issuer,
            not_after,
            public_info,
            names,
            is_ca,
            signed,
            algorithm,
            signature,
        })
    }

    /// Whether `authority` signed this certificate.
    pub(super) fn is_signed_by(&self, authority: &X509) -> bool {
        self.issuer == authority.subject
            && is_signed(&authority.public_info, &self.algorithm, &self.signed, &self.signature)
    }

    /// Whether it was signed with its own key.
    pub(super) fn is_self_signed(&self) -> bool {
        self.is_signed_by(self)
    }
}

/// The alternative names, and whether it is a certificate authority.
fn extended(extensions: Option<Part<'_>>) -> (Vec<String>, bool) {
    let (mut names, mut is_ca) = (Vec::new(), false);
    let list = extensions.and_then(|part| part.inside().expect(tag::SEQUENCE));
    for extension in list.into_iter().flat_map(Part::inside) {
        let mut fields = extension.inside();
        let Some(number) = fields.expect(tag::OID) else { continue };
        fields.optional(tag::BOOLEAN);
        let inner = fields.expect(tag::OCTET_STRING).and_then(|octets| octets.inside().expect(tag::SEQUENCE));
        let Some(inner) = inner else { continue };
        match number.content {
            der::ALTERNATIVE_NAMES => names.extend(inner.inside().filter_map(alternative)),
            der::BASIC_CONSTRAINTS => {
                is_ca = inner.inside().expect(tag::BOOLEAN).is_some_and(|flag| flag.content != [0]);
            }
            _ => {}
        }
    }
    (names, is_ca)
}

/// A host name or IP address. Other types of names are not managed.
fn alternative(name: Part<'_>) -> Option<String> {
    const HOST: u8 = context(2, false);
    const ADDRESS: u8 = context(7, false);
    match (name.tag, name.content.len()) {
        (HOST, _) => Some(String::from_utf8_lossy(name.content).into_owned()),
        (ADDRESS, 4) => <[u8; 4]>::try_from(name.content).ok().map(|bytes| IpAddr::from(bytes).to_string()),
        (ADDRESS, 16) => <[u8; 16]>::try_from(name.content).ok().map(|bytes| IpAddr::from(bytes).to_string()),
        _ => None,
    }
}

/// Parses a time: `YYMMDDhhmmssZ` or `YYYYMMDDhhmmssZ`.
fn time(part: Part<'_>) -> Option<SystemTime> {
    let text = std::str::from_utf8(part.content).ok()?.strip_suffix('Z')?;
    let digits: Vec<i16> =
        text.chars().map(|digit| digit.to_digit(10).map(|digit| digit as i16)).collect::<Option<_>>()?;
    let (year, rest) = match (part.tag, digits.len()) {
        (tag::UTC_TIME, 12) => {
            let year = digits[0] * 10 + digits[1];
            (if year < 50 { 2000 + year } else { 1900 + year }, &digits[2..])
        }
        (tag::GENERALIZED_TIME, 14) => {
            (digits[..4].iter().fold(0, |year, digit| year * 10 + digit), &digits[4..])
        }
        _ => return None,
    };
    let pairs: Vec<i8> = rest.chunks(2).map(|pair| (pair[0] * 10 + pair[1]) as i8).collect();
    let [month, day, hour, minute, second] = pairs[..] else { return None };
    let is_real =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let moment = is_real.then(|| jiff::civil::Date::new(year, month, day).ok())??;
    let moment = moment.at(hour, minute, second, 0).to_zoned(TimeZone::UTC).ok()?.timestamp().as_second();
    match u64::try_from(moment) {
        Ok(seconds) => Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)),
        // A time before 1970 is clamped: the certificate is expired either way.
        Err(_) => Some(SystemTime::UNIX_EPOCH),
    }
}

// PEM: base64-encoded DER between two labelled lines.

/// The line length that OpenSSL uses.
const WIDTH: usize = 64;

/// Encodes DER as PEM.
pub(super) fn write(label: &str, der: &[u8]) -> String {
    let text = BASE64.encode(der);
    let mut pem = format!("-----BEGIN {label}-----\n");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, left) = rest.split_at(WIDTH.min(rest.len()));
        pem.push_str(line);
        pem.push('\n');
        rest = left;
    }
    pem.push_str(&format!("-----END {label}-----\n"));
    pem
}

/// The first block of a PEM text: its label and its DER.
pub(super) fn read(text: &str) -> Option<(&str, Vec<u8>)> {
    let (_, rest) = text.split_once("-----BEGIN ")?;
    let (label, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once(&format!("-----END {label}-----"))?;
    let body: String = body.split_ascii_whitespace().collect();
    Some((label, BASE64.decode(body.as_bytes()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pem_round_trips() {
        for length in [0_u8, 1, 47, 48, 49, 200] {
            let der: Vec<u8> = (0..length).collect();
            let text = format!("# a comment\n{}", write("CERTIFICATE", &der));
            assert_eq!(read(&text), Some(("CERTIFICATE", der)), "{length}");
            assert!(text.lines().all(|line| line.len() <= WIDTH));
        }
        assert_eq!(read(""), None);
        assert_eq!(read("-----BEGIN X-----\nAAAA\n"), None);
        assert_eq!(read("-----BEGIN X-----\n!\n-----END X-----\n"), None);
    }
}
