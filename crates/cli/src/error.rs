//! Every error that ends a command, in the words that the user reads.

/// What went wrong, why, and what to do. All conversions are here, so that this file is the policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CliError {
    /// What was attempted on what.
    pub(crate) message: String,
    /// Why it failed, outermost first.
    pub(crate) causes: Vec<String>,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

impl CliError {
    /// An error without a cause.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), causes: Vec::new(), hint: None }
    }

    /// A part that this program was built without.
    #[cfg_attr(
        all(feature = "lsp", feature = "luau"),
        expect(dead_code, reason = "this build has all parts")
    )]
    pub(crate) fn not_built_in(part: &str, feature: &str) -> Self {
        Self::new(format!("this program was built without {part}"))
            .hint(format!("use a build with the feature `{feature}`"))
    }

    /// The same, with advice.
    #[must_use]
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same, with advice if there is none yet.
    #[must_use]
    pub(crate) fn or_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: self.hint.or_else(|| Some(hint.into())), ..self }
    }

    /// The same, with what caused it.
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

/// The machine, or a file of the configuration.
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
