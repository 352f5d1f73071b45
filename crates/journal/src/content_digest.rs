//! The SHA-256 of contents.

use std::cell::RefCell;

use sha2::{Digest as _, Sha256};

/// A shorter content is hashed faster than it is remembered.
const LEAST: usize = 256;
/// A longer content is not remembered.
const MOST: usize = 64 << 10;

thread_local! {
    /// The last content, and its digest. A visit stores one content several times: as declared, as observed, and in the
    /// lines before and after the change.
    static LAST: RefCell<(Vec<u8>, [u8; 32])> = const { RefCell::new((Vec::new(), [0; 32])) };
}

/// The SHA-256 of a content that is no secret. Repeated calls for the same content cost a comparison.
pub(crate) fn content_digest(content: &[u8]) -> [u8; 32] {
    if !(LEAST..=MOST).contains(&content.len()) {
        return Sha256::digest(content).into();
    }
    LAST.with_borrow_mut(|(last, digest)| {
        if last.as_slice() != content {
            *digest = Sha256::digest(content).into();
            last.clear();
            last.extend_from_slice(content);
        }
        *digest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remembered_digest_is_that_of_the_same_content() {
        let contents = [vec![b'a'; 300], vec![b'b'; 300], vec![b'a'; 10], vec![b'a'; 301]];
        for content in contents.iter().chain(&contents) {
            assert_eq!(content_digest(content), <[u8; 32]>::from(Sha256::digest(content)));
            assert_eq!(content_digest(content), content_digest(content));
        }
    }
}
