//! One run of a program: what it is asked to do, and what it is told.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use crate::manifest::Method;

/// What a program is asked to do.
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
    /// How long it may take unless the manifest says otherwise: looking should be quick, changing may download much.
    pub(super) fn patience(self) -> Duration {
        match self {
            Self::Set | Self::Delete => Duration::from_secs(600),
            _ => Duration::from_secs(60),
        }
    }
}

/// As the manifest calls it.
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

/// One run.
pub(crate) struct Call<'a> {
    pub(crate) operation: Operation,
    pub(crate) method: &'a Method,
    /// What it is told; empty for nothing.
    pub(crate) input: Map<String, Json>,
    /// Whether a secret is in it: then nothing of what the program says is shown.
    pub(crate) secret: bool,
}
