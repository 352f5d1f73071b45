//! What the engine reports, as one error for programs.

use uphold_engine::Failure;
use uphold_model::Diagnostics;
use uphold_resource::{Error, ErrorKind};

/// A failed visit.
pub(crate) fn error(failure: &Failure) -> Error {
    let chain =
        std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    let error = Error::new(failure.kind, chain);
    failure.hint.iter().cloned().fold(error, Error::hint)
}

/// A declaration that breaks rules.
pub(crate) fn invalid(diagnostics: &Diagnostics) -> Error {
    let details: Vec<&str> = diagnostics.iter().map(|diagnostic| &*diagnostic.detail).collect();
    let error = Error::new(ErrorKind::Invalid, details.join("; "));
    diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.clone()).fold(error, Error::hint)
}
