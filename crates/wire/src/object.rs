//! Objects that the JSON stream, reports and the status protocol share: `docs/json.md` lists them.
//!
//! Fields are in the order of their names, which is the order in which they are written.

use std::borrow::Cow;
use std::time::SystemTime;

use serde::{Deserialize, Deserializer, Serialize};
use uphold_model::{Name, ResourceId, Severity, Side};

use crate::value::Value;
use crate::via;

/// A name from an enumeration. A later minor version may add names, so readers must accept unknown ones.
pub type Word = Cow<'static, str>;

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// As it is written in an expression.
    pub address: String,
    /// Its key, with `for_each`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The kind.
    pub kind: String,
    /// The module call that contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The label.
    pub name: String,
}

impl From<&ResourceId> for Resource {
    fn from(id: &ResourceId) -> Self {
        let part = |part: Option<&Name>| part.map(ToString::to_string);
        let (address, kind, name) = (id.to_string(), id.kind.to_string(), id.name.to_string());
        Self { address, key: part(id.key()), kind, module: part(id.module()), name }
    }
}

impl From<Resource> for ResourceId {
    fn from(Resource { key, kind, module, name, .. }: Resource) -> Self {
        ResourceId::new(kind, name).in_module(module.map(Into::into)).with_key(key.map(Into::into))
    }
}

/// A resource that was applied, and is no longer declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftResource {
    /// Its last address.
    pub address: String,
    /// Its name on the machine, such as a path.
    pub identity: String,
    /// The kind.
    pub kind: String,
    /// Why it was not removed, if it was to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// A location in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// From 1, in characters.
    pub column: usize,
    /// The offset after the last byte.
    pub end: u32,
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The offset of the first byte.
    pub start: u32,
}

/// A change that was made or is planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Why it differs: `new`, `drift` or `both`; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Word>,
    /// Each property that differs.
    pub differences: Vec<Difference>,
    /// `create`, `update`, `remove` or `run`.
    pub kind: Word,
    /// Exports that are unknown until the change is made.
    pub unknown: Vec<Word>,
}

/// One property that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The declared value.
    pub after: Value,
    /// Whether it is a secret.
    pub after_sensitive: bool,
    /// Whether it is unknown until apply.
    pub after_unknown: bool,
    /// The expression that the first unknown part waits for.
    pub after_waits_for: Option<String>,
    /// The current value.
    pub before: Value,
    /// Whether it is a secret.
    pub before_sensitive: bool,
    /// Why it differs: `new`, `drift` or `both`; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Word>,
    /// Whether `after` is the default of a new resource, and was not set.
    pub default: bool,
    /// The property.
    pub property: String,
}

/// If either side is a secret, both are hidden.
impl From<&uphold_model::Difference> for Difference {
    fn from(difference: &uphold_model::Difference) -> Self {
        let hidden = difference.is_sensitive();
        let side = |side: &Side| match side.value() {
            None => Value::Null,
            Some(_) if hidden => Value::Hidden(None),
            Some(value) => Value::from(value),
        };
        let is_secret = |side: &Side| hidden && side.value().is_some();
        let unknown = difference.to.value().and_then(uphold_model::Value::first_unknown);
        Self {
            after: side(&difference.to),
            after_sensitive: is_secret(&difference.to),
            after_unknown: unknown.is_some(),
            after_waits_for: unknown.map(|unknown| unknown.waits_for.to_string()),
            before: side(&difference.from),
            before_sensitive: is_secret(&difference.from),
            cause: None,
            default: matches!(difference.to, Side::Default(_)),
            property: difference.property.to_string(),
        }
    }
}

/// An error of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The causes, outermost first.
    pub causes: Vec<String>,
    /// The properties that still differ after apply.
    pub differences: Vec<Difference>,
    /// Advice.
    pub hint: Option<String>,
    /// The kind of error, such as `denied`.
    pub kind: Word,
    /// The location of the attribute that it is about, if it is not about the whole resource.
    pub location: Option<Place>,
    /// What was attempted, and why it failed.
    pub message: String,
}

/// An error or warning about the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The stable code, such as `E0402`; null for an error that is not about the configuration.
    #[serde(default)]
    pub code: Option<String>,
    /// The problem in this case.
    pub detail: String,
    /// How to fix it.
    pub fix: Option<String>,
    /// Its location.
    pub location: Option<Place>,
    /// Other locations that belong to it.
    pub related: Vec<Related>,
    /// `error` or `warning`.
    pub severity: Word,
    /// The constant text of the code.
    pub summary: String,
}

/// The name of a severity.
pub fn severity(severity: Severity) -> Word {
    match severity {
        Severity::Error => "error".into(),
        Severity::Warning => "warning".into(),
    }
}

/// A location that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// What it shows.
    pub label: String,
    /// The location.
    pub location: Place,
}

/// The reason for a visit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Further resources that caused it, if it was notified by several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_by: Vec<Resource>,
    /// The resource that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Resource>,
    /// The number of further causes that are not named.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// `declared` or `notified`; in a watch also one of those in `docs/json.md`.
    pub reason: Word,
    /// The path, unit or other object whose change was detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When the notification is delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Word>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The false condition that skipped a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwanted {
    /// Of a guard: its command, unless it is a secret.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub command: Option<Option<String>>,
    /// Of a guard: whether it is the guard of an enclosing group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_group: Option<bool>,
    /// `when`, `nothing_changed`, `run_failed`, `only_if` or `not_if`.
    pub reason: Word,
}

/// A field that is present, null or not.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The outcome of a visit, with its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "docs/json.md lists the fields of each verdict, and the others are fields here"
)]
pub enum Verdict {
    Unchanged,
    Changed {
        change: Change,
    },
    PutBack {
        change: Change,
    },
    WouldChange {
        change: Change,
    },
    MayChange {
        waits_for: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
    },
    Differs {
        change: Change,
    },
    Paused {
        change: Change,
        pause: Pause,
    },
    Failed {
        failure: Failure,
    },
    Ignored {
        failure: Failure,
    },
    Skipped(Skip),
    /// A verdict of a later version.
    #[serde(other)]
    Other,
}

/// A pause of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The user who paused it.
    pub by: String,
    /// The reason that the user gave.
    pub reason: Option<String>,
    /// The expiry.
    #[serde(with = "via")]
    pub until: SystemTime,
}

/// The reason why a resource was skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// `condition`, `dependency_failed`, `stopped`, `too_many_failures`, `too_many_changes` or `not_as_planned`.
    pub skip_reason: Word,
    /// The false condition, which is no failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Unwanted>,
    /// The dependency that failed first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_dependency: Option<Resource>,
    /// How the resource differs from the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_as_planned: Option<String>,
}

/// An output of the configuration: its value, or the failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The value; null if it is hidden or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    /// Whether there is a secret in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<bool>,
    /// Whether any of it is unknown until apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<bool>,
    /// The expression that the first unknown part waits for.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub waits_for: Option<Option<String>>,
    /// Why it has no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Output {
    /// An output with a value.
    pub fn of(name: &str, value: &uphold_model::Value) -> Self {
        Self {
            name: name.to_owned(),
            value: Some(value.into()),
            sensitive: Some(value.is_sensitive()),
            unknown: Some(value.is_unknown()),
            waits_for: Some(value.first_unknown().map(|unknown| unknown.waits_for.to_string())),
            failure: None,
        }
    }

    /// An output that could not be computed.
    pub fn failed(name: &str, failure: Failure) -> Self {
        let (value, sensitive, unknown, waits_for) = Default::default();
        Self { name: name.to_owned(), value, sensitive, unknown, waits_for, failure: Some(failure) }
    }
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is the number of resources with that verdict or change")]
pub struct Summary {
    pub changed: usize,
    pub created: usize,
    pub differs: usize,
    pub failed: usize,
    pub ignored: usize,
    pub may_change: usize,
    pub ok: usize,
    #[serde(default)]
    pub paused: usize,
    #[serde(default)]
    pub put_back: usize,
    pub ran: usize,
    pub removed: usize,
    pub skipped: usize,
    pub skipped_by_condition: usize,
    pub updated: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_model::{Difference as Pair, Value as Model};

    #[test]
    fn a_secret_on_one_side_hides_the_other_too() {
        let secret = Model::map([("password", Model::text("hunter2").sensitive())]);
        let (from, to) = (Side::Value(Model::text("hunter1")), Side::Value(secret));
        let shown = Difference::from(&Pair { property: "p".into(), from, to });
        assert!(!format!("{shown:?}").contains("hunter"), "{shown:?}");
        assert!(shown.before_sensitive && shown.after_sensitive);
    }
}
