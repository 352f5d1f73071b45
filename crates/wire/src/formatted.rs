//! The output of `uphold fmt --json`.

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
    /// Whether they were rewritten; false with `--check`.
    pub written: bool,
}

impl Format for Formatted {
    const NAME: &'static str = "list of formatted files";
    const VERSION: Version = Version::new(1, 0);
}
