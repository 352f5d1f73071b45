//! The kind `toml_edit`.

mod format;

use format::TomlFormat;
use toml_edit::{DocumentMut, Item, Value as Toml};
use uphold_kit::verification::Verification;
use uphold_resource::{
    Act, Claiming, Claims, Found, Look, Map, Previous, Problem, Resource, Result, Step, Value, Want,
};

use super::format::not_understood;
use super::{EditTarget, PlainValue, goal};

/// One value in a TOML file.
///
/// The rest of the file is kept byte for byte: order, white space, line endings and comments. The result is parsed
/// again before it is written: if any other value would change, the file is not touched. Several resources can edit
/// one file; they are applied in the order in which they are written, and two for the same key are refused.
///
/// A map is compared as a whole, and members that are not listed are removed. To keep them, use a longer `key`.
/// Removing the resource removes the key, or the item of an array. Dates and times are compared and written as
/// strings.
///
/// ```hcl
/// toml_edit "containerd cgroups" {
///   file  = "/etc/containerd/config.toml"
///   key   = ["plugins", "io.containerd.grpc.v1.cri", "systemd_cgroup"]
///   value = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "toml_edit", also("toml", "toml_file"), claims)]
pub struct TomlEdit {
    /// Name of the edit; defaults to the block's label.
    #[name]
    pub name: String,
    /// Position of the value.
    #[flatten(settings)]
    pub target: EditTarget,
    /// Value: a string, number, bool, list or map.
    #[also("content")]
    #[required]
    pub value: Want<PlainValue>,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

/// Recursion is as deep as the declared value, which the language limits.
fn has_no_null(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::List(items) => items.iter().all(has_no_null),
        Value::Map(map) => map.values().all(has_no_null),
        _ => true,
    }
}

impl Claiming for TomlEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.target.claim(claims, None);
    }
}

impl Resource for TomlEdit {
    fn validate(&self) -> Result<(), Problem> {
        if self.value.get().is_none_or(|value| has_no_null(&value.0)) {
            return Ok(());
        }
        let fix = "omit it; to remove the key, set `action = \"remove\"`";
        Err(Problem::new(None, "contains null, which TOML does not support", fix).inside("value"))
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.target.load(&TomlFormat, look)?.map(|value| TomlEditState { value }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let value = goal(step).map(|goal| &goal.value);
        self.target.apply(&TomlFormat, value, &self.verification, host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target.previous()
    }
}

// Parsing TOML.

/// Parses a document. The parser refuses excessive nesting.
///
/// # Errors
/// The syntax error, with line and column.
pub(crate) fn read(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
        not_understood("TOML", line, column, error.message())
    })
}

/// The plain value of an item. Dates and times are strings.
pub(crate) fn value(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => plain(value),
        Item::Table(table) => map(table.iter().map(|(key, item)| (key, value(item)))),
        Item::ArrayOfTables(tables) => {
            let table = |table: &toml_edit::Table| map(table.iter().map(|(key, item)| (key, value(item))));
            Value::list(tables.iter().map(table))
        }
    }
}

fn plain(toml: &Toml) -> Value {
    match toml {
        Toml::String(text) => Value::text(text.value().as_str()),
        Toml::Integer(int) => Value::Int(*int.value()),
        Toml::Float(float) if float.value().is_finite() => Value::Float(*float.value()),
        Toml::Float(float) => Value::text(float.value().to_string()),
        Toml::Boolean(bool) => Value::Bool(*bool.value()),
        Toml::Datetime(time) => Value::text(time.value().to_string()),
        Toml::Array(array) => Value::list(array.iter().map(plain)),
        Toml::InlineTable(table) => map(table.iter().map(|(key, toml)| (key, plain(toml)))),
    }
}

fn map<'k>(entries: impl Iterator<Item = (&'k str, Value)>) -> Value {
    Value::Map(std::sync::Arc::new(entries.map(|(key, value)| (key.into(), value)).collect::<Map>()))
}
