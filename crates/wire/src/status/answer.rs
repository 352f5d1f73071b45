//! What a watch is asked, and its short answers.

use serde::{Deserialize, Serialize};

use crate::object::Word;
use crate::version::Version;

/// The version of all answers.
pub const VERSION: Version = Version::new(1, 0);

/// One line that asks for something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `status`, `overview`, `follow`, `reload` or `recheck`.
    pub ask: Word,
}

impl Request {
    /// The request in a line; none if it is something else.
    pub fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// A request was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Which one.
    pub ask: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// `accepted`.
    pub r#type: Word,
}

/// There is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Why, for machines.
    pub error: Word,
    /// The version of the answer.
    pub format_version: Version,
    /// Why, for people.
    pub message: String,
    /// `error`.
    pub r#type: Word,
}

impl Refused {
    /// A refusal in these words.
    pub fn new(error: &'static str, message: &str) -> Self {
        let (error, r#type) = (error.into(), "error".into());
        Self { error, format_version: VERSION, message: message.to_owned(), r#type }
    }

    /// The refusal in a line; none if it is another answer.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|refused: &Self| refused.r#type == "error")
    }
}

/// Nothing more will be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// `end`.
    pub r#type: Word,
}
