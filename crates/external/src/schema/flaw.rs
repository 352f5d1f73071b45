//! A mistake in a JSON Schema, before it is known where its text stands.

/// What is wrong, where inside the schema, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flaw {
    /// The way from the top of the schema.
    pub(crate) path: Vec<String>,
    pub(crate) what: String,
    pub(crate) fix: String,
}

impl Flaw {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), fix: fix.into() }
    }

    /// The same, found inside `steps`.
    pub(crate) fn inside(mut self, steps: &[&str]) -> Self {
        self.path.splice(0..0, steps.iter().map(|&step| step.to_owned()));
        self
    }
}
