//! Function calls: arguments and errors.

use std::cell::Cell;
use std::path::Path;

use uphold_model::Value;

use crate::surroundings::Surroundings;

/// The arguments and the environment of one call.
pub struct Call<'a> {
    /// As many as the function takes, each of an accepted type.
    pub arguments: &'a [Value],
    /// The directory of the calling source; relative paths start here.
    pub directory: &'a Path,
    /// Access to everything outside of the configuration.
    pub surroundings: &'a dyn Surroundings,
    /// Steps that the call took beyond those that follow from its arguments and result. The call adds to it.
    pub steps: &'a Cell<usize>,
}

/// The error of a failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The index of the wrong argument, if the error is in one.
    pub argument: Option<usize>,
    /// The problem: a lower-case fragment.
    pub message: String,
    /// A hint how to fix it.
    pub fix: Option<String>,
}

impl Fault {
    /// An error of the call as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self { argument: None, message: message.into(), fix: None }
    }

    /// An error in one argument.
    pub fn at(argument: usize, message: impl Into<String>) -> Self {
        Self { argument: Some(argument), ..Self::new(message) }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}
