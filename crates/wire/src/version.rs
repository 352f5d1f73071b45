//! The version of a format.

use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// `MAJOR.MINOR`. The minor number grows with additions that readers may ignore, the major number with incompatible
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Readers reject an unknown one.
    pub major: u32,
    /// Readers ignore the additions of a higher one.
    pub minor: u32,
}

impl Version {
    /// The version with these numbers.
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = text.split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), None) => Ok(Self::new(major, 0)),
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self::new(major, minor)),
            _ => Err(format!("invalid format version `{text}`")),
        }
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

// Reading a versioned document.

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

// The output of `uphold fmt --json`.

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
