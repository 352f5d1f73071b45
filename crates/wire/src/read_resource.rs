//! What `uphold read KIND NAME --json` prints.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::value::Value;

/// A resource as it is on the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadResource {
    /// The kind.
    pub kind: String,
    /// The name that was given.
    pub name: String,
    /// What can be read of it, with words in place of secrets.
    pub properties: BTreeMap<String, Value>,
}
