//! The path of an apt key.

use std::path::Path;

use sha1::{Digest as _, Sha1};
use sha2::Sha256;
use uphold_resource::{
    AbsolutePath, Claims, Context, Interest, Problem, Property, Reading, Role, Type, Value,
};

/// The directory of repository keys.
const DIRECTORY: &str = "/etc/apt/keyrings";

/// A key file: a path, or a name in `/etc/apt/keyrings`. It ends in `.asc` if it is armored, in `.gpg` if it is
/// binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyring(AbsolutePath);

impl Keyring {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Whether the key is stored as armored text.
    pub(super) fn is_text(&self) -> bool {
        self.0.extension().is_some_and(|extension| extension == "asc")
    }
}

impl Property for Keyring {
    const TYPE: &'static Type = &Type::Named {
        name: "keyring",
        doc: "a path that ends in `.asc` or `.gpg`, or a name in `/etc/apt/keyrings`",
        example: r#""example""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let name = String::from_value(value, context)?;
        if name.starts_with(['/', '~']) {
            let path = AbsolutePath::from_value(value, context)?;
            let fine = path.extension().is_some_and(|extension| extension == "asc" || extension == "gpg");
            let refused = || {
                Problem::new(
                    Some(value),
                    "is not a key file that apt can read",
                    "use a path that ends in .asc or .gpg",
                )
            };
            return if fine { Ok(Self(path)) } else { Err(refused()) };
        }
        let fine = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(fine) {
            let fix = "use a name of letters, digits, `_`, `.` and `-`, or a path";
            return Err(Problem::new(Some(value), "is not a valid name of a keyring", fix));
        }
        let whole = name.ends_with(".asc") || name.ends_with(".gpg");
        let name = if whole { name } else { format!("{name}.asc") };
        AbsolutePath::new(format!("{DIRECTORY}/{name}")).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.0.claim(role, claims);
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.0.watch(role, host, interests);
    }
}

// The subset of OpenPGP that is needed for fingerprints of keys (RFC 9580).

/// The tag of a packet with a primary public key.
const PUBLIC_KEY: u8 = 6;

/// The fingerprints of all primary keys, in upper-case hexadecimal; none if the bytes are not valid packets.
pub(super) fn fingerprints(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (tag, body, rest) = packet(bytes)?;
        if tag == PUBLIC_KEY {
            found.push(fingerprint(body)?);
        }
        bytes = rest;
    }
    (!found.is_empty()).then_some(found)
}

/// The first packet: its tag, its body and the remaining bytes.
fn packet(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&header, rest) = bytes.split_first()?;
    let (tag, (length, rest)) = match header {
        0xC0.. => (header & 0x3F, new_length(rest)?),
        0x80.. => ((header >> 2) & 0x0F, old_length(header & 3, rest)?),
        _ => return None,
    };
    let (body, rest) = rest.split_at_checked(length)?;
    Some((tag, body, rest))
}

/// Partial lengths occur only in data packets, never in keys.
fn new_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    match first {
        0..=191 => Some((usize::from(first), rest)),
        192..=223 => {
            let (&second, rest) = rest.split_first()?;
            Some(((usize::from(first) - 192) * 256 + usize::from(second) + 192, rest))
        }
        255 => number(4, rest),
        _ => None,
    }
}

fn old_length(length_type: u8, bytes: &[u8]) -> Option<(usize, &[u8])> {
    match length_type {
        0..=2 => number(1 << length_type, bytes),
        _ => Some((bytes.len(), bytes)),
    }
}

fn number(size: usize, bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (digits, rest) = bytes.split_at_checked(size)?;
    Some((digits.iter().fold(0, |number, digit| number << 8 | usize::from(*digit)), rest))
}

fn fingerprint(body: &[u8]) -> Option<String> {
    let long = u32::try_from(body.len()).ok()?.to_be_bytes();
    let digest = match body.first()? {
        4 => Sha1::new()
            .chain_update([0x99])
            .chain_update(long.get(2..)?)
            .chain_update(body)
            .finalize()
            .to_vec(),
        6 => Sha256::new().chain_update([0x9B]).chain_update(long).chain_update(body).finalize().to_vec(),
        _ => return None,
    };
    Some(data_encoding::HEXUPPER.encode(&digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        let check = |text: &str, expected: Option<&str>| {
            let found = Keyring::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(found.as_ref().and_then(|found| found.path().to_str()), expected, "{text}");
        };
        check("docker", Some("/etc/apt/keyrings/docker.asc"));
        check("docker.gpg", Some("/etc/apt/keyrings/docker.gpg"));
        check("v1.2", Some("/etc/apt/keyrings/v1.2.asc"));
        check("/usr/share/keyrings/x.gpg", Some("/usr/share/keyrings/x.gpg"));
        for wrong in ["", "a/b", "..", "a b", "/etc/apt/keyrings/x", "/etc/../x.asc"] {
            check(wrong, None);
        }
    }
}

#[cfg(test)]
mod openpgp_tests {
    use super::*;

    /// The samples of RFC 9580, appendixes A.1 and A.3: keys of versions 4 and 6 with their fingerprints.
    const V4: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----

xjMEU/NfCxYJKwYBBAHaRw8BAQdAPwmJlL3ZFu1AUxl5NOSofIBzOhKA1i+AEJku
Q+47JAY=
-----END PGP PUBLIC KEY BLOCK-----";
    const V6: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----

xioGY4d/4xsAAAAg+U2nu0jWCmHlZ3BqZYfQMxmZu52JGggkLq2EVD34laM=
-----END PGP PUBLIC KEY BLOCK-----";

    #[test]
    fn computes_fingerprints() {
        let check = |text: &str, expected: &str| {
            let bytes = super::super::decode(text).expect("a block");
            assert_eq!(fingerprints(&bytes), Some(vec![expected.to_owned()]));
        };
        check(V4, "C959BDBAFA32A2F89A153B678CFDE12197965A9A");
        check(V6, "CB186C4F0609A697E4D52DFA6C722B0C1F1E27C18A56708F6525EC27BAD9ACC9");
    }

    #[test]
    fn refuses_invalid_keys() {
        let key = super::super::decode(V4).expect("a block");
        let check = |bytes: &[u8]| assert_eq!(fingerprints(bytes), None, "{bytes:?}");
        check(b"");
        check(b"hello");
        check(&key[..key.len() - 1]);
        check(&[0xC6, 255, 255, 255, 255, 255]);
        check(&[0xC6, 0]);
        check(&[0xC6, 1, 3]);
    }
}
