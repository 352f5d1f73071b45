//! Shared strings: each word is stored once, however often it is written.

use rustc_hash::FxHashSet;
use uphold_model::Name;

/// All words so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: FxHashSet<Name>,
}

impl Names {
    /// The shared name of this word.
    pub(crate) fn get(&mut self, word: &str) -> Name {
        if let Some(name) = self.known.get(word) {
            return name.clone();
        }
        let name: Name = word.into();
        self.known.insert(name.clone());
        name
    }

    /// A string: shared if it is short, because short strings are often repeated.
    pub(crate) fn text(&mut self, text: &str) -> Name {
        const SHORT: usize = 16;
        if text.len() <= SHORT { self.get(text) } else { text.into() }
    }
}
