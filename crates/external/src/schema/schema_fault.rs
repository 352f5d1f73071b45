//! A mistake in a JSON Schema, before its place in a text is known.

/// A mistake: what is wrong, where in the schema, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SchemaFault {
    /// The path from the top of the schema.
    pub(crate) path: Vec<String>,
    pub(crate) what: String,
    pub(crate) fix: String,
    /// Whether the schema is valid but cannot be a kind.
    pub(crate) is_unsupported: bool,
}

impl SchemaFault {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), fix: fix.into(), is_unsupported: false }
    }

    /// The same for a valid schema that cannot be a kind.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_unsupported: true, ..self }
    }

    /// The same, found inside `steps`.
    pub(crate) fn inside(mut self, steps: &[&str]) -> Self {
        self.path.splice(0..0, steps.iter().map(|&step| step.to_owned()));
        self
    }
}
