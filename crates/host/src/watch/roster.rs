//! What is armed for each token.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use uphold_resource::Token;

use super::armed::{Armed, More};
use super::paths::Hold;

/// What is armed for each token. One that holds one path costs some 30 bytes.
#[derive(Default)]
pub(super) struct Roster {
    lines: HashTable<Line>,
    /// What most tokens have nothing of.
    more: HashMap<Token, Box<More>>,
    state: RandomState,
}

/// What is armed for one token, without gaps.
struct Line {
    token: Token,
    /// The print, in halves; zero if it is not trusted.
    print: [u32; 2],
    only: Option<Hold>,
}

impl Roster {
    /// Whether exactly this is armed, and works. In doubt it is not: a digest may be zero.
    pub(super) fn is(&self, token: Token, print: u64) -> bool {
        let line = self.lines.find(self.state.hash_one(token), |line| line.token == token);
        print != 0 && line.is_some_and(|line| line.print == halves(print))
    }

    /// It does not work any more.
    pub(super) fn distrust(&mut self, token: Token) {
        if let Some(line) = self.lines.find_mut(self.state.hash_one(token), |line| line.token == token) {
            line.print = [0, 0];
        }
    }

    /// Enters what is armed for a token that has nothing.
    pub(super) fn put(&mut self, token: Token, armed: Armed) {
        let Armed { print, only, more } = armed;
        self.more.extend(more.map(|more| (token, more)));
        let line = Line { token, print: halves(print.unwrap_or(0)), only };
        let hash_of = |line: &Line| self.state.hash_one(line.token);
        self.lines.insert_unique(self.state.hash_one(token), line, hash_of);
    }

    /// Takes out what is armed for a token.
    pub(super) fn take(&mut self, token: Token) -> Armed {
        let found = self.lines.find_entry(self.state.hash_one(token), |line| line.token == token);
        match found {
            Ok(line) => Armed { print: None, only: line.remove().0.only, more: self.more.remove(&token) },
            Err(_) => Armed::default(),
        }
    }
}

fn halves(print: u64) -> [u32; 2] {
    [(print >> 32) as u32, print as u32]
}

#[cfg(test)]
mod tests {
    use uphold_resource::Interest;

    use super::*;
    use crate::watch::paths::Extent;

    #[test]
    fn a_line_is_found_until_it_is_taken() {
        let mut roster = Roster::default();
        let hold = |at| Hold { at, extent: Extent::Path };
        for token in 0..100 {
            let other = (token == 7).then_some(Interest::Process("p".into()));
            let print = u64::from(token) << 32 | 1;
            roster.put(token, Armed::new(Some(print), vec![hold(token)], other.into_iter().collect()));
        }
        assert!(roster.is(9, 9 << 32 | 1) && !roster.is(9, 1) && !roster.is(100, 1));
        roster.distrust(9);
        assert!(!roster.is(9, 9 << 32 | 1) && !roster.is(9, 0) && roster.is(8, 8 << 32 | 1));
        let (many, one) = (roster.take(7), roster.take(9));
        assert_eq!((many.holds(), many.others().len()), (&[hold(7)][..], 1));
        assert_eq!((one.holds(), one.others().len()), (&[hold(9)][..], 0));
        assert!(!roster.is(7, 7 << 32 | 1) && roster.take(7).holds().is_empty());
    }

    #[test]
    fn a_line_is_short() {
        assert!(size_of::<Line>() <= 20, "{}", size_of::<Line>());
    }
}
