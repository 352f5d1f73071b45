//! Differences as a run records them.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use crate::digest::value_digest;
use crate::json::{Number, Object, ToJson};
use crate::secret_key::SecretKey;

/// A longer side of a difference is stored as digest and size.
const MOST_SIDE: usize = 256;

/// One side of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// No value.
    Absent,
    /// A text.
    Text(String),
    /// Any other value, as JSON.
    Json(String),
    /// A value over 256 bytes.
    Digest {
        /// Its HighwayHash digest, for comparisons.
        highway: String,
        /// Its size in bytes.
        size: u64,
    },
    /// The name of the key and the HMAC of a secret value.
    Secret(String),
}

impl ToJson for Side {
    fn add_to(&self, json: &mut String) {
        let (name, value) = match self {
            Self::Absent => return "absent".add_to(json),
            Self::Text(text) => ("text", text),
            Self::Json(text) => ("json", text),
            Self::Secret(secret) => ("secret", secret),
            Self::Digest { highway, size } => {
                json.push_str("{\"digest\":");
                let mut digest = Object::begin(json);
                digest.add("highway", highway);
                digest.add("size", &Number(*size));
                digest.end();
                return json.push('}');
            }
        };
        let mut side = Object::begin(json);
        side.add(name, value);
        side.end();
    }
}

impl Side {
    /// The side for a text that is no secret.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The same for bytes, which may not be UTF-8.
    pub fn of_bytes(value: &[u8]) -> Self {
        match std::str::from_utf8(value) {
            Ok(text) if text.len() <= MOST_SIDE => Self::Text(text.to_owned()),
            _ => Self::Digest { highway: HEXLOWER.encode(&value_digest(value)), size: value.len() as u64 },
        }
    }

    /// The side for any other value that is no secret, as JSON.
    pub fn json(json: &str) -> Self {
        match Self::of(json) {
            Self::Text(json) => Self::Json(json),
            digest => digest,
        }
    }

    /// The side for a secret value.
    pub fn secret(key: &SecretKey, value: &[u8]) -> Self {
        Self::Secret(key.hidden(value))
    }
}

/// A property that an action changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The property.
    pub property: String,
    /// The value before.
    pub from: Side,
    /// The declared value.
    pub to: Side,
    /// Why it differs: `new`, `drift`, `both` or `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

impl ToJson for Difference {
    fn add_to(&self, json: &mut String) {
        let mut object = Object::begin(json);
        object.add("property", &self.property);
        object.add("from", &self.from);
        object.add("to", &self.to);
        object.add_some("cause", self.cause.as_ref());
        object.end();
    }
}
