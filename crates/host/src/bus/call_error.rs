//! Errors of calls.

use std::{fmt, io};

/// The failure of a call.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The callee returned an error.
    Refused {
        /// The name of its error.
        name: String,
        /// Its message.
        text: String,
    },
    /// The deadline has passed.
    TimedOut,
    /// The run was stopped.
    Stopped,
    /// The connection failed.
    Lost(io::Error),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Refused { text, name } if text.is_empty() => f.write_str(name),
            CallError::Refused { text, .. } => f.write_str(text),
            CallError::TimedOut => f.write_str("no answer in time"),
            CallError::Stopped => f.write_str("the run was stopped"),
            CallError::Lost(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<io::Error> for CallError {
    fn from(error: io::Error) -> Self {
        CallError::Lost(error)
    }
}
