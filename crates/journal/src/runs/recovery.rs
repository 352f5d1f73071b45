//! The states around an action, for `undo`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::difference::Side;
use crate::json::{Object, ToJson};

/// Everything besides [`Previous`](super::Previous) that brings the state before an action back: the identity of the resource,
/// and small values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recovery {
    /// The label of its block.
    pub name: String,
    /// The module call that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Its key, with `for_each`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Its declared identity and settings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub declared: BTreeMap<String, Json>,
    /// Values that a declaration of the previous state needs as well.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Json>,
    /// Whether the resource existed before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exists: bool,
    /// Its previous values, if [`Previous::File`](super::Previous::File) has a content instead.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Json>,
    /// The property whose previous value is the content of [`Previous::File`](super::Previous::File).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The file that it edits, of which [`Previous`](super::Previous) is the whole content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<EditedFile>,
}

/// A file of which a resource manages a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedFile {
    /// The kind that manages a whole file.
    pub kind: String,
    /// Its path.
    pub path: String,
    /// Whether the previous values can be declared instead if the file was changed meanwhile.
    pub or_values: bool,
}

/// The state after an action: enough to find out whether it was changed since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct After {
    /// Whether the resource existed.
    pub exists: bool,
    /// The values of the properties that changed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Side>,
    /// The content of the file that it edits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Side>,
}

impl ToJson for After {
    fn add_to(&self, json: &mut String) {
        let mut object = Object::begin(json);
        object.add("exists", &self.exists);
        if !self.values.is_empty() {
            object.add("values", &self.values);
        }
        object.add_some("file", self.file.as_ref());
        object.end();
    }
}
