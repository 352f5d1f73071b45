//! A line of a `known_hosts` file.

use data_encoding::BASE64;
use sha1::{Digest, Sha1};

use crate::public_key::PublicKey;

/// A line with the key of a host.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) marker: Option<String>,
    /// Its names: a single hashed one, or any number of plain ones.
    pub(super) names: Vec<String>,
    pub(super) key: PublicKey,
    comment: String,
}

/// Identifies a line.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) marker: Option<&'a str>,
    /// The name as written in a line: in lower case, with the port unless it is 22.
    pub(super) name: &'a str,
    /// The key type; none for any.
    pub(super) kind: Option<&'a str>,
}

impl Row {
    pub(super) fn new(search: Search<'_>, key: PublicKey) -> Self {
        let marker = search.marker.map(str::to_owned);
        Self { marker, names: vec![search.name.to_owned()], key, comment: String::new() }
    }

    /// Parses a line; none if it has no key.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let text = line.trim();
        let (marker, text) = match text.strip_prefix('@') {
            Some(marked) => {
                marked.split_once([' ', '\t']).map(|(marker, rest)| (Some(marker), rest.trim_start()))?
            }
            None => (None, text),
        };
        if text.starts_with('#') {
            return None;
        }
        let (names, rest) = text.split_once([' ', '\t'])?;
        let mut words = rest.trim_start().splitn(2, [' ', '\t']);
        let kind = words.next()?;
        let behind = words.next()?.trim_start();
        let (body, comment) = behind.split_once([' ', '\t']).unwrap_or((behind, ""));
        let key = PublicKey::parse(&format!("{kind} {body}")).ok()?;
        Some(Self {
            marker: marker.map(str::to_owned),
            names: names.split(',').map(str::to_owned).collect(),
            key,
            comment: comment.trim().to_owned(),
        })
    }

    pub(super) fn is(&self, search: Search<'_>) -> bool {
        self.marker.as_deref() == search.marker
            && search.kind.is_none_or(|kind| kind == self.key.kind())
            && self.names.iter().any(|name| is_name(name, search.name))
    }

    /// Whether its name is hashed.
    pub(super) fn is_hashed(&self) -> bool {
        self.names.iter().any(|name| is_hashed(name))
    }

    /// All plain names other than this one.
    pub(super) fn others(&self, name: &str) -> Vec<String> {
        self.names.iter().filter(|other| !is_name(other, name) && !is_hashed(other)).cloned().collect()
    }

    /// The same line with other names.
    pub(super) fn named(&self, names: Vec<String>) -> Self {
        Self { names, ..self.clone() }
    }

    pub(super) fn text(&self) -> String {
        let marker = self.marker.as_ref().map_or(String::new(), |marker| format!("@{marker} "));
        let comment = if self.comment.is_empty() { String::new() } else { format!(" {}", self.comment) };
        format!("{marker}{} {}{comment}", self.names.join(","), self.key)
    }
}

/// Whether a name in a line is `name`. Patterns are compared literally.
fn is_name(written: &str, name: &str) -> bool {
    if is_hashed(written) { matches(written, name) } else { written.to_lowercase() == name }
}

/// A name as written in a line.
pub(super) fn token(host: &str, port: u16) -> String {
    let host = host.to_lowercase();
    match port {
        22 => host,
        _ if host.starts_with('[') => host,
        _ => format!("[{host}]:{port}"),
    }
}

/// A name without this port.
pub(super) fn host(token: &str, port: u16) -> String {
    let inner = token.strip_prefix('[').and_then(|rest| rest.strip_suffix(&format!("]:{port}")));
    inner.filter(|_| port != 22).unwrap_or(token).to_owned()
}

// Hashed host names in `known_hosts`: `|1|SALT|HASH`.

const PREFIX: &str = "|1|";

/// The block and digest sizes of SHA-1.
const BLOCK: usize = 64;
const DIGEST: usize = 20;

/// Hashes `name` with this salt.
pub(super) fn hash(name: &str, salt: &[u8; DIGEST]) -> String {
    format!("{PREFIX}{}|{}", BASE64.encode(salt), BASE64.encode(&hmac(salt, name.as_bytes())))
}

/// Whether this is a hashed name.
pub(super) fn is_hashed(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Whether `hashed` is the hash of `name`.
pub(super) fn matches(hashed: &str, name: &str) -> bool {
    let parts = hashed.strip_prefix(PREFIX).and_then(|parts| parts.split_once('|'));
    let decode = |text: &str| BASE64.decode(text.as_bytes()).ok();
    let parts = parts.and_then(|(salt, hash)| Some((decode(salt)?, decode(hash)?)));
    parts.is_some_and(|(salt, hash)| hmac(&salt, name.as_bytes()) == *hash)
}

/// HMAC-SHA1, which OpenSSH uses here. No secret depends on it.
fn hmac(key: &[u8], message: &[u8]) -> [u8; DIGEST] {
    let mut block = [0; BLOCK];
    if key.len() <= BLOCK {
        block[..key.len()].copy_from_slice(key);
    } else {
        block[..DIGEST].copy_from_slice(&Sha1::digest(key));
    }
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha1::new().chain_update(pad(0x36)).chain_update(message).finalize();
    Sha1::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_rfc_2202() {
        let check = |key: &[u8], message: &[u8], expected: &str| {
            assert_eq!(data_encoding::HEXLOWER.encode(&hmac(key, message)), expected);
        };
        check(&[0x0b; 20], b"Hi There", "b617318655057264e28bc0b6fb378c8ef146be00");
        check(b"Jefe", b"what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
        let long = b"Test Using Larger Than Block-Size Key - Hash Key First";
        check(&[0xaa; 80], long, "aa4ae5e15272d00e95705637ce8a3b55ed402112");
    }

    #[test]
    fn matches_hashed_names() {
        // Created with `ssh-keygen -H`.
        let hashed = "|1|GVUaABQrAppqa/U5eUGycX06JzY=|RFcSJvffhP5WpI6ohTL6kkuejj8=";
        assert!(matches(hashed, "web.example.org"));
        assert!(!matches(hashed, "web.example.com"));
        let hashed = hash("a", &[7; 20]);
        assert!(matches(&hashed, "a") && !matches(&hashed, "b") && is_hashed(&hashed));
        for broken in ["|1|", "|1|x|y", "|1|AAAA", "a"] {
            assert!(!matches(broken, "a"), "{broken}");
        }
    }
}
