//! Errors that end a command, and exit codes.

use std::process::ExitCode;

/// The exit codes, as `uphold --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Success = 0,
    /// Something failed, and was reported.
    Failure = 1,
    /// A plan has changes, or an audit found differences.
    Pending = 2,
}

impl Exit {
    pub(crate) fn success_if(success: bool) -> Self {
        Self::of(success, false)
    }

    pub(crate) fn of(success: bool, pending: bool) -> Self {
        match (success, pending) {
            (false, _) => Self::Failure,
            (true, true) => Self::Pending,
            (true, false) => Self::Success,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// An error in the words that the user reads. All conversions from other errors are in this file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CliError {
    /// The failed action and its object.
    pub(crate) message: String,
    /// The causes, outermost first.
    pub(crate) causes: Vec<String>,
    /// How to fix it.
    pub(crate) hint: Option<String>,
}

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), causes: Vec::new(), hint: None }
    }

    /// A feature that this program was built without.
    #[cfg_attr(
        all(feature = "lsp", feature = "luau"),
        expect(dead_code, reason = "this build has all features")
    )]
    pub(crate) fn not_built_in(part: &str, feature: &str) -> Self {
        Self::new(format!("this program was built without {part}"))
            .hint(format!("use a build with the feature `{feature}`"))
    }

    #[must_use]
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds a hint if the error has none.
    #[must_use]
    pub(crate) fn or_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: self.hint.or_else(|| Some(hint.into())), ..self }
    }

    /// Adds an error and all its sources as causes.
    #[must_use]
    pub(crate) fn because(mut self, error: &dyn std::error::Error) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            self.causes.push(error.to_string());
            cause = error.source();
        }
        self
    }
}

impl From<uphold::Error> for CliError {
    fn from(error: uphold::Error) -> Self {
        Self::from(&error)
    }
}

impl From<&uphold::Error> for CliError {
    fn from(error: &uphold::Error) -> Self {
        let plain = Self::new(error.to_string());
        let caused = std::error::Error::source(error).map_or(plain.clone(), |source| plain.because(source));
        Self { hint: error.advice().map(str::to_owned), ..caused }
    }
}
