//! Requests to a running watch, and its short answers.

use serde::{Deserialize, Serialize};

use crate::object::Word;
use crate::version::Version;

/// The version of all answers.
pub const VERSION: Version = Version::new(2, 1);

/// A request: one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `status`, `overview`, `follow`, `reload` or `recheck`.
    pub request: Word,
}

impl Request {
    /// Parses a request.
    pub fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// The answer to an accepted request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The version of the answer.
    pub format_version: Version,
    /// The request.
    pub request: Word,
    /// `accepted`.
    pub r#type: Word,
}

/// The answer to a request that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The error code, such as `busy`.
    pub error: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// The reason, for people.
    pub message: String,
    /// `error`.
    pub r#type: Word,
}

impl Refused {
    /// An error answer.
    pub fn new(error: &'static str, message: &str) -> Self {
        let (error, r#type) = (error.into(), "error".into());
        Self { error, format_version: VERSION, message: message.to_owned(), r#type }
    }

    /// Parses an error answer; none if it is another answer.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|refused: &Self| refused.r#type == "error")
    }
}

/// The last line of `follow`: the watch ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// `end`.
    pub r#type: Word,
}
