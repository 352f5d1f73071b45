//! A configuration with errors.

use std::fmt;

use uphold_model::{Diagnostics, Severity, Sources};
use uphold_resource::{Error, ErrorKind};

use crate::diagnostic_text::{render, sorted};
use crate::lines::Lines;

/// Why a configuration cannot be run. Prints every problem with its place, an excerpt and a fix, in the order of the texts.
pub struct Rejected {
    /// Everything that was found, warnings included.
    pub diagnostics: Diagnostics,
    /// The texts that the places point into.
    pub sources: Sources,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::new(&self.sources);
        for (number, diagnostic) in sorted(&self.diagnostics).into_iter().enumerate() {
            let gap = if number == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{}", render(diagnostic, &mut lines, false))?;
        }
        Ok(())
    }
}

/// The same as [`Display`](fmt::Display): what `main` prints if it returns this is for people.
impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Rejected {}

/// The errors in one line, for programs that have one error type.
impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        let Rejected { diagnostics, sources } = rejected;
        let errors = || diagnostics.iter().filter(|one| one.severity() == Severity::Error);
        let at = |place| format!("{}: ", sources.describe(place));
        let details = errors().map(|one| one.place.map(at).unwrap_or_default() + &one.detail);
        let error = Error::new(ErrorKind::Invalid, details.collect::<Vec<_>>().join("; "));
        errors().filter_map(|one| one.fix.clone()).fold(error, Error::hint)
    }
}
