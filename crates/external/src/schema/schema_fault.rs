//! A mistake in a JSON Schema, before it is known where its text stands.

/// What is wrong, where inside the schema, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flaw {
    /// The way from the top of the schema.
    pub(crate) path: Vec<String>,
    pub(crate) what: String,
    pub(crate) fix: String,
    /// Whether the schema is sound, and only cannot be a kind.
    pub(crate) is_unsupported: bool,
}

impl Flaw {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), fix: fix.into(), is_unsupported: false }
    }

    /// The same for a sound schema that cannot be a kind.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_unsupported: true, ..self }
    }

    /// The same, found inside `steps`.
    pub(crate) fn inside(mut self, steps: &[&str]) -> Self {
        self.path.splice(0..0, steps.iter().map(|&step| step.to_owned()));
        self
    }
}
