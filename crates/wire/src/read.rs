//! Reading a versioned document.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::version::Version;

/// A document with a `format_version`.
pub trait Format: DeserializeOwned {
    /// The name in messages.
    const NAME: &'static str;
    /// The version that is written.
    const VERSION: Version;
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It has another format, or is damaged.
    Malformed {
        /// The format.
        format: &'static str,
        /// The error.
        what: String,
    },
    /// It has an unsupported major version.
    OtherVersion {
        /// The format.
        format: &'static str,
        /// The version that it was written in.
        written: Version,
        /// The version that this program writes.
        known: Version,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Malformed { format, what } => write!(f, "cannot read the {format}: {what}"),
            ReadError::OtherVersion { format, written, known } => {
                let age = if written.major > known.major { "a newer" } else { "an older" };
                write!(
                    f,
                    "cannot read the {format}: {age} Uphold wrote it in format {written}, and this one reads {}.x",
                    known.major
                )
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a document of any minor version; fields that a later one added are ignored.
///
/// # Errors
/// If the major version is unsupported, or a field is missing or invalid.
pub fn read<T: Format>(text: &str) -> Result<T, ReadError> {
    #[derive(Deserialize)]
    struct Head {
        format_version: Version,
    }
    let malformed =
        |error: serde_json::Error| ReadError::Malformed { format: T::NAME, what: error.to_string() };
    let written = serde_json::from_str::<Head>(text).map_err(malformed)?.format_version;
    if written.major != T::VERSION.major {
        return Err(ReadError::OtherVersion { format: T::NAME, written, known: T::VERSION });
    }
    serde_json::from_str(text).map_err(malformed)
}
