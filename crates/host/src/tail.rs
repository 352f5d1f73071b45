//! The end of a stream that may be endless.

use std::collections::VecDeque;

/// The last bytes of a stream, up to a limit.
///
/// The end is kept rather than the beginning, because a command prints its failure last.
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    limit: usize,
    dropped: u64,
}

/// The kept part of a stream.
pub(crate) struct TailBytes {
    /// Its last bytes.
    pub(crate) bytes: Vec<u8>,
    /// How many bytes came before.
    pub(crate) dropped: u64,
}

impl Tail {
    pub(crate) fn new(limit: u64) -> Self {
        Self { bytes: VecDeque::new(), limit: usize::try_from(limit).unwrap_or(usize::MAX), dropped: 0 }
    }

    /// Adds a piece, and drops the oldest bytes beyond the limit before it allocates.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let skipped = piece.len().saturating_sub(self.limit);
        let piece = &piece[skipped..];
        let excess = (self.bytes.len() + piece.len()).saturating_sub(self.limit);
        self.bytes.drain(..excess);
        self.dropped += (skipped + excess) as u64;
        self.bytes.extend(piece);
    }

    /// Whether something was dropped.
    pub(crate) fn is_cut(&self) -> bool {
        self.dropped > 0
    }

    pub(crate) fn finish(self) -> TailBytes {
        TailBytes { bytes: self.bytes.into(), dropped: self.dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end_and_counts_the_rest() {
        let check = |limit: u64, pieces: &[&str], kept: &str, dropped: u64| {
            let mut tail = Tail::new(limit);
            pieces.iter().for_each(|piece| tail.push(piece.as_bytes()));
            let capacity = tail.bytes.capacity();
            let found = tail.finish();
            assert_eq!((found.bytes, found.dropped), (kept.as_bytes().to_vec(), dropped), "{pieces:?}");
            assert!(capacity as u64 <= (2 * limit).max(16), "{capacity}");
        };
        check(4, &[], "", 0);
        check(4, &["ab", "cd"], "abcd", 0);
        check(4, &["ab", "cde"], "bcde", 1);
        check(4, &["abcdefgh"], "efgh", 4);
        check(4, &["ab", "cdefgh", "i"], "fghi", 5);
        check(0, &["ab"], "", 2);
        check(1024, &["x"; 100_000], &"x".repeat(1024), 100_000 - 1024);
    }
}
