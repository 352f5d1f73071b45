//! Digests: BLAKE3, which is fast on every processor.

use std::cell::RefCell;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use highway::{HighwayHash as _, HighwayHasher};

/// The digest of a shorter content costs no more than finding it.
const SHORT: usize = 128;
/// The places for digests: many more than contents that one thread has under way.
const PLACES: usize = 4096;

/// A short digest that identifies a content within this process, and the digest.
type Remembered = ([u64; 2], [u8; 32]);

thread_local! {
    /// The digests of the last contents. A visit stores one content several times: as declared, as observed, and in the line
    /// before the change, between which other visits may be.
    static LAST: RefCell<Vec<Remembered>> = const { RefCell::new(Vec::new()) };
}

/// The key of short digests. It is random, so that nobody can make two contents with the same one.
static KEY: LazyLock<highway::Key> = LazyLock::new(|| {
    let random = RandomState::new();
    highway::Key(std::array::from_fn(|part| random.hash_one(part)))
});

/// The digest in hex of bytes that are no secret.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&content_digest(bytes))
}

/// The digest of a content that is no secret. Repeated calls for the same content cost a tenth.
pub(crate) fn content_digest(content: &[u8]) -> [u8; 32] {
    if content.len() < SHORT {
        return blake3::hash(content).into();
    }
    let short = HighwayHasher::new(*KEY).hash128(content);
    LAST.with_borrow_mut(|places| {
        places.resize_with(PLACES, Remembered::default);
        let (last, digest) = &mut places[short[0] as usize % PLACES];
        if *last != short {
            (*last, *digest) = (short, blake3::hash(content).into());
        }
        *digest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remembered_digest_is_that_of_the_same_content() {
        let lengths = [0, 1, SHORT - 1, SHORT, SHORT + 1, 300, 5000];
        let contents = lengths.iter().flat_map(|length| [b'a', b'b'].map(|byte| vec![byte; *length]));
        let middle = (0..3_u8).map(|middle| [vec![b'a'; 300], vec![middle], vec![b'a'; 300]].concat());
        // More than there are places.
        let numbered = (0..2 * PLACES).map(|number| format!("{number:0200}").into_bytes());
        let contents: Vec<Vec<u8>> = contents.chain(middle).chain(numbered).collect();
        for content in contents.iter().chain(&contents) {
            assert_eq!(content_digest(content), *blake3::hash(content).as_bytes());
            assert_eq!(content_digest(content), content_digest(content));
        }
    }
}
