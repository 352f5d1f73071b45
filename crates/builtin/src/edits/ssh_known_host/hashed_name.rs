//! Hashed host names in `known_hosts`: `|1|SALT|HASH`.

use data_encoding::BASE64;
use sha1::{Digest, Sha1};

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
