//! The interests of all tokens.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use uphold_resource::Token;

use super::armed_set::{ArmedSet, MoreArmed};
use super::paths::PathInterest;

/// The interests of each token. A token with one path takes about 30 bytes.
#[derive(Default)]
pub(super) struct ArmedByToken {
    rows: HashTable<Row>,
    /// The interests of tokens with more than one path, or with others than paths.
    more: HashMap<Token, Box<MoreArmed>>,
    state: RandomState,
}

/// The interests of one token, without padding.
struct Row {
    token: Token,
    /// The digest in halves; zero if the interests do not work.
    print: [u32; 2],
    only: Option<PathInterest>,
}

impl ArmedByToken {
    /// Whether exactly these interests are armed, and work. False for a digest of zero.
    pub(super) fn is(&self, token: Token, print: u64) -> bool {
        let row = self.rows.find(self.state.hash_one(token), |row| row.token == token);
        print != 0 && row.is_some_and(|row| row.print == halves(print))
    }

    /// Records that the interests do not work any more.
    pub(super) fn invalidate(&mut self, token: Token) {
        if let Some(row) = self.rows.find_mut(self.state.hash_one(token), |row| row.token == token) {
            row.print = [0, 0];
        }
    }

    /// Adds the interests of a token that has none.
    pub(super) fn put(&mut self, token: Token, armed: ArmedSet) {
        let ArmedSet { print, only, more } = armed;
        self.more.extend(more.map(|more| (token, more)));
        let row = Row { token, print: halves(print.unwrap_or(0)), only };
        let hash_of = |row: &Row| self.state.hash_one(row.token);
        self.rows.insert_unique(self.state.hash_one(token), row, hash_of);
    }

    /// Takes the interests of a token.
    pub(super) fn take(&mut self, token: Token) -> ArmedSet {
        let found = self.rows.find_entry(self.state.hash_one(token), |row| row.token == token);
        match found {
            Ok(row) => ArmedSet { print: None, only: row.remove().0.only, more: self.more.remove(&token) },
            Err(_) => ArmedSet::default(),
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
    fn a_row_is_found_until_it_is_taken() {
        let mut table = ArmedByToken::default();
        let path = |at| PathInterest { at, extent: Extent::Path };
        for token in 0..100 {
            let other = (token == 7).then_some(Interest::Process("p".into()));
            let print = u64::from(token) << 32 | 1;
            table.put(token, ArmedSet::new(Some(print), vec![path(token)], other.into_iter().collect()));
        }
        assert!(table.is(9, 9 << 32 | 1) && !table.is(9, 1) && !table.is(100, 1));
        table.invalidate(9);
        assert!(!table.is(9, 9 << 32 | 1) && !table.is(9, 0) && table.is(8, 8 << 32 | 1));
        let (many, one) = (table.take(7), table.take(9));
        assert_eq!((many.paths(), many.others().len()), (&[path(7)][..], 1));
        assert_eq!((one.paths(), one.others().len()), (&[path(9)][..], 0));
        assert!(!table.is(7, 7 << 32 | 1) && table.take(7).paths().is_empty());
    }

    #[test]
    fn a_row_is_small() {
        assert!(size_of::<Row>() <= 20, "{}", size_of::<Row>());
    }
}
