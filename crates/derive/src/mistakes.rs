//! Collecting mistakes, so that all are told at once.

use quote::ToTokens;
use syn::Error;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Mistakes(Option<Error>);

impl Mistakes {
    /// Adds a mistake at `place`.
    pub(crate) fn add(&mut self, place: impl ToTokens, sentence: impl std::fmt::Display) {
        self.take(Error::new_spanned(place, sentence));
    }

    /// Adds a mistake that was already put into words.
    pub(crate) fn take(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// All of them, if there are any.
    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
