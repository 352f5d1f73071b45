//! A planned change.

use serde::{Deserialize, Serialize};
use uphold_model::ChangeKind;

use crate::saved_value::SavedValue;
use crate::value::Value;
use crate::via;

/// A planned change. Of a secret it has only a digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Each property that differs.
    pub differences: Vec<Difference>,
    /// The kind of change.
    #[serde(with = "via")]
    pub kind: ChangeKind,
    /// Computed names and settings, and digests of source files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting>,
    /// Exports that are unknown until the change is made.
    pub unknown: Vec<String>,
}

/// A value that determines the change, and is no difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The property, or a name for messages.
    pub name: String,
    /// The planned value.
    pub value: Side,
}

/// One property that differs. The side of a missing resource is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The current value.
    pub from: Option<Side>,
    /// The property.
    pub property: String,
    /// The declared value.
    pub to: Option<Side>,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSide")]
pub struct Side {
    /// The salted digest of the value, if it is a known secret.
    pub digest: Option<String>,
    /// The value, without secrets.
    #[serde(flatten)]
    pub content: SideContent,
}

/// The value of a side, by origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideContent {
    /// It is on the machine, or was set.
    Value(SavedValue),
    /// The default of a new resource.
    Default(SavedValue),
}

impl SideContent {
    /// The value, of either origin.
    pub fn value(&self) -> &Value {
        match self {
            SideContent::Value(value) | SideContent::Default(value) => &value.0,
        }
    }
}

#[derive(Deserialize)]
struct UncheckedSide {
    digest: Option<String>,
    #[serde(flatten)]
    content: SideContent,
}

impl TryFrom<UncheckedSide> for Side {
    type Error = &'static str;

    /// A secret without its digest would match anything.
    fn try_from(UncheckedSide { digest, content }: UncheckedSide) -> Result<Self, Self::Error> {
        let value = content.value();
        let is_secret = value.is_hidden() && !value.is_unknown();
        if is_secret && digest.is_none() {
            Err("a secret has no digest")
        } else {
            Ok(Self { digest, content })
        }
    }
}
