//! Collected mistakes, so that all are reported at once.

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

    /// Adds an error.
    pub(crate) fn take(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// All mistakes, if there are any.
    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
