//! Names of hosts that cannot be read, only recognised: `|1|SALT|HASH`.

use data_encoding::BASE64;
use sha1::{Digest, Sha1};

const PREFIX: &str = "|1|";

/// The size of a block and of a digest of SHA-1.
const BLOCK: usize = 64;
const DIGEST: usize = 20;

/// What hides `name`, made with this salt.
pub(super) fn hide(name: &str, salt: &[u8; DIGEST]) -> String {
    format!("{PREFIX}{}|{}", BASE64.encode(salt), BASE64.encode(&hmac(salt, name.as_bytes())))
}

/// Whether this is a name that cannot be read.
pub(super) fn is_hidden(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Whether `hidden` hides `name`.
pub(super) fn hides(hidden: &str, name: &str) -> bool {
    let parts = hidden.strip_prefix(PREFIX).and_then(|parts| parts.split_once('|'));
    let decode = |text: &str| BASE64.decode(text.as_bytes()).ok();
    let parts = parts.and_then(|(salt, hash)| Some((decode(salt)?, decode(hash)?)));
    parts.is_some_and(|(salt, hash)| hmac(&salt, name.as_bytes()) == *hash)
}

/// HMAC-SHA1, which OpenSSH uses here. Nothing secret depends on it.
fn hmac(key: &[u8], message: &[u8]) -> [u8; DIGEST] {
    let mut block = [0; BLOCK];
    match key.len() <= BLOCK {
        true => block[..key.len()].copy_from_slice(key),
        false => block[..DIGEST].copy_from_slice(&Sha1::digest(key)),
    }
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha1::new().chain_update(pad(0x36)).chain_update(message).finalize();
    Sha1::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyed_digests_are_those_of_rfc_2202() {
        let check = |key: &[u8], message: &[u8], expected: &str| {
            assert_eq!(data_encoding::HEXLOWER.encode(&hmac(key, message)), expected);
        };
        check(&[0x0b; 20], b"Hi There", "b617318655057264e28bc0b6fb378c8ef146be00");
        check(b"Jefe", b"what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
        let long = b"Test Using Larger Than Block-Size Key - Hash Key First";
        check(&[0xaa; 80], long, "aa4ae5e15272d00e95705637ce8a3b55ed402112");
    }

    #[test]
    fn names_are_recognised() {
        // Written by `ssh-keygen -H`.
        let hidden = "|1|GVUaABQrAppqa/U5eUGycX06JzY=|RFcSJvffhP5WpI6ohTL6kkuejj8=";
        assert!(hides(hidden, "web.example.org"));
        assert!(!hides(hidden, "web.example.com"));
        let hidden = hide("a", &[7; 20]);
        assert!(hides(&hidden, "a") && !hides(&hidden, "b") && is_hidden(&hidden));
        for broken in ["|1|", "|1|x|y", "|1|AAAA", "a"] {
            assert!(!hides(broken, "a"), "{broken}");
        }
    }
}
