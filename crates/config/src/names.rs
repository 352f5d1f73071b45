//! Names: the same word is kept once, however often it is written.

use std::collections::HashMap;

use uphold_model::Name;

/// Every identifier met so far.
#[derive(Debug, Default)]
pub(crate) struct Names<'t> {
    known: HashMap<&'t str, Name>,
}

impl<'t> Names<'t> {
    /// The shared name for this word.
    pub(crate) fn get(&mut self, word: &'t str) -> Name {
        self.known.entry(word).or_insert_with(|| word.into()).clone()
    }
}
