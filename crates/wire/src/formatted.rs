//! What `uphold fmt --json` prints.

use serde::{Deserialize, Serialize};

use crate::read::Format;
use crate::version::Version;

/// The files that were not formatted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formatted {
    /// Their names.
    pub changed: Vec<String>,
    /// The version of the document.
    pub format_version: Version,
    /// Whether they were written; with `--check` they are not.
    pub written: bool,
}

impl Format for Formatted {
    const NAME: &'static str = "list of formatted files";
    const VERSION: Version = Version::new(1, 0);
}
