//! Why nothing came of a call.

use std::{fmt, io};

/// Why nothing came of a call.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The other side refuses.
    Refused {
        /// The name of its error.
        name: String,
        /// What it says about it.
        text: String,
    },
    /// It took too long.
    TimedOut,
    /// The run is to be stopped.
    Stopped,
    /// There is no connection, or it cannot be used any more.
    Lost(io::Error),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refused { text, name } if text.is_empty() => f.write_str(name),
            Trouble::Refused { text, .. } => f.write_str(text),
            Trouble::TimedOut => f.write_str("it does not answer in time"),
            Trouble::Stopped => f.write_str("the run was stopped"),
            Trouble::Lost(error) => write!(f, "the connection is lost: {error}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Lost(error)
    }
}
