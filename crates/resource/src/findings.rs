//! Results of decoding besides the fields themselves.

use uphold_model::{Name, Problem, Schema, Value};

/// Results of decoding besides the fields themselves.
#[derive(Debug, Default)]
pub struct Findings {
    /// Errors: the resource cannot be used.
    pub problems: Vec<Problem>,
    /// Warnings, such as deprecated properties.
    pub warnings: Vec<Problem>,
    /// Properties that will be known after apply, each with the resource that it waits for.
    pub unknown: Vec<(&'static str, Name)>,
    /// Properties that were computed from a secret.
    pub tainted: Vec<&'static str>,
    /// The values of set properties, if [`Fields::recording`](crate::Fields::recording) requested them.
    pub known: Vec<(&'static str, Value)>,
}

impl Findings {
    /// The resource that must be visited before this one can be loaded, because an identity or setting of this one is not
    /// known. Unknown state does not prevent loading.
    pub fn waits_for(&self, schema: &Schema) -> Option<&Name> {
        let compared = |property: &str| schema.property(property).is_some_and(|p| p.role.is_state());
        self.unknown.iter().find(|(property, _)| !compared(property)).map(|(_, waits_for)| waits_for)
    }

    pub(crate) fn waits(&self, schema: &Schema) -> bool {
        self.waits_for(schema).is_some()
    }
}
