//! A call: arguments in, a value or a fault out.

use std::cell::Cell;
use std::path::Path;

use uphold_model::Value;

use crate::surroundings::Surroundings;

/// The arguments of one call, and what it may read.
pub struct Call<'a> {
    /// As many as the function takes, each of a shape that it accepts.
    pub arguments: &'a [Value],
    /// The directory of the source that calls: relative paths are below it.
    pub directory: &'a Path,
    /// Everything outside.
    pub surroundings: &'a dyn Surroundings,
    /// Steps that the call took beyond those that its arguments and its result tell. The call adds to it.
    pub steps: &'a Cell<usize>,
}

/// Why a call has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which argument is to blame, if one is.
    pub argument: Option<usize>,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// What to write instead.
    pub fix: Option<String>,
}

impl Fault {
    /// A fault of the call as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self { argument: None, message: message.into(), fix: None }
    }

    /// A fault of one argument.
    pub fn at(argument: usize, message: impl Into<String>) -> Self {
        Self { argument: Some(argument), ..Self::new(message) }
    }

    /// The same fault with what to write instead.
    #[must_use]
    pub fn with_fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}
