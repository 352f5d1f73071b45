//! A change as it was planned.

use serde::{Deserialize, Serialize};

use crate::saved_value::SavedValue;
use crate::value::Value;

/// A change. Of a secret it has a digest and no more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Each property that differs.
    pub differences: Vec<Difference>,
    /// What sort of change.
    pub kind: ChangeKind,
    /// Computed names and settings, and digests of contents that are read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting>,
    /// Exports that only the change will tell.
    pub unknown: Vec<String>,
}

/// A value that decides what a change does, and is no difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The property, or a name for messages.
    pub name: String,
    /// The value that it was planned with.
    pub value: Side,
}

/// What sort of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is not there.
    Create,
    /// It differs.
    Update,
    /// It is there, and should not be.
    Remove,
    /// Something runs.
    Run,
}

/// One property that differs. A side that is not there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What is there.
    pub from: Option<Side>,
    /// The property.
    pub property: String,
    /// What should be there.
    pub to: Option<Side>,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSide")]
pub struct Side {
    /// Of the whole value, if it is hidden and known.
    pub digest: Option<String>,
    /// The value, without secrets.
    #[serde(flatten)]
    pub content: SideContent,
}

/// Where a side comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideContent {
    /// It is there, or was set.
    Value(SavedValue),
    /// The default of a new one.
    Default(SavedValue),
}

impl SideContent {
    /// The value, wherever it comes from.
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
        match value.is_hidden() && !value.is_unknown() && digest.is_none() {
            true => Err("a secret has no digest"),
            false => Ok(Self { digest, content }),
        }
    }
}
