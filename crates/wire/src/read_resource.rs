//! The output of `uphold read KIND NAME --json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::value::Value;
use crate::version::Version;

/// The current state of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadResource {
    /// The version of the document.
    pub format_version: Version,
    /// The kind.
    pub kind: String,
    /// The name that was given.
    pub name: String,
    /// Its properties, with placeholders for secrets.
    pub properties: BTreeMap<String, Value>,
}

impl Format for ReadResource {
    const NAME: &'static str = "resource";
    const VERSION: Version = Version::new(1, 0);
}
