//! What decoding found besides the fields themselves.

use uphold_model::{Name, Problem, Schema, Value};

/// What decoding found besides the fields themselves.
#[derive(Debug, Default)]
pub struct Findings {
    /// What forbids going on.
    pub problems: Vec<Problem>,
    /// What should be mended some day.
    pub warnings: Vec<Problem>,
    /// Properties that will be known after apply, and what they wait for.
    pub unknown: Vec<(&'static str, Name)>,
    /// Properties that were computed from a secret.
    pub tainted: Vec<&'static str>,
    /// The values of set properties, if [`Fields::recording`](crate::Fields::recording) asked for them.
    pub known: Vec<(&'static str, Value)>,
}

impl Findings {
    /// What has to be known before the thing can be looked at: what is compared can wait, but not
    /// what names it or says how.
    pub fn waits_for(&self, schema: &Schema) -> Option<&Name> {
        let compared = |property: &str| schema.property(property).is_some_and(|p| p.role.is_state());
        self.unknown.iter().find(|(property, _)| !compared(property)).map(|(_, waits_for)| waits_for)
    }

    pub(crate) fn waits(&self, schema: &Schema) -> bool {
        self.waits_for(schema).is_some()
    }
}
