//! The SHA-256 of contents.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use sha2::{Digest as _, Sha256};

/// A longer content shares one place with all others of its kind, so that a thread remembers little.
const SMALL: usize = 4 << 10;
/// A longer content is not remembered.
const MOST: usize = 64 << 10;
/// The places for small contents: more than files that one thread puts in place together.
const PLACES: usize = 512;
/// So many bytes at both ends of a content choose its place.
const END: usize = 32;

/// A content, and its digest.
type Remembered = (Vec<u8>, [u8; 32]);

thread_local! {
    /// The last contents, among them values that many resources share, such as an owner. A visit stores one content several
    /// times: as declared, as observed, and in the line before the change, between which other visits may be.
    static LAST: RefCell<Vec<Remembered>> = const { RefCell::new(Vec::new()) };
}

/// The SHA-256 of a content that is no secret. Repeated calls for the same content cost a comparison.
pub(crate) fn content_digest(content: &[u8]) -> [u8; 32] {
    if content.is_empty() || content.len() > MOST {
        return Sha256::digest(content).into();
    }
    LAST.with_borrow_mut(|places| {
        places.resize_with(PLACES + 1, Remembered::default);
        let (last, digest) = &mut places[place(content)];
        if last.as_slice() != content {
            *digest = Sha256::digest(content).into();
            last.clear();
            last.extend_from_slice(content);
        }
        *digest
    })
}

fn place(content: &[u8]) -> usize {
    if content.len() > SMALL {
        return PLACES;
    }
    let mut hasher = FxHasher::default();
    let ends = content.len().min(END);
    (&content[..ends], &content[content.len() - ends..]).hash(&mut hasher);
    // The upper bits depend on all of it.
    (hasher.finish() >> 32) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remembered_digest_is_that_of_the_same_content() {
        let lengths = [0, 1, END, END + 1, 300, 301, SMALL, SMALL + 1, MOST, MOST + 1];
        let contents = lengths.iter().flat_map(|length| [b'a', b'b'].map(|byte| vec![byte; *length]));
        // Those with the same ends share a place.
        let middle = (0..3_u8).map(|middle| [vec![b'a'; 300], vec![middle], vec![b'a'; 300]].concat());
        let contents: Vec<Vec<u8>> = contents.chain(middle).collect();
        for content in contents.iter().chain(&contents) {
            assert_eq!(content_digest(content), <[u8; 32]>::from(Sha256::digest(content)));
            assert_eq!(content_digest(content), content_digest(content));
        }
    }
}
