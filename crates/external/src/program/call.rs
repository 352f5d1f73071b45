//! One run of a program: its operation and input.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use crate::manifest::Method;

/// The operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Get,
    Test,
    Set,
    Delete,
    Validate,
    Schema,
    WhatIf,
}

impl Operation {
    /// The default timeout: loading should be quick, changing may download much.
    pub(super) fn default_timeout(self) -> Duration {
        match self {
            Self::Set | Self::Delete => Duration::from_secs(600),
            _ => Duration::from_secs(60),
        }
    }
}

/// Its name in the manifest.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "get",
            Self::Test => "test",
            Self::Set => "set",
            Self::Delete => "delete",
            Self::Validate => "validate",
            Self::Schema => "schema",
            Self::WhatIf => "whatIf",
        })
    }
}

/// One run of a program.
pub(crate) struct Call<'a> {
    pub(crate) operation: Operation,
    pub(crate) method: &'a Method,
    /// The input; empty if there is none.
    pub(crate) input: Map<String, Json>,
    /// Whether the input contains a secret: then no output of the program is shown.
    pub(crate) secret: bool,
}
