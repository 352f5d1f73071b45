//! Objects that the stream, reports and the status protocol share: `docs/json.md` lists them.
//!
//! Fields are in the order of their names, which is the order in which they are written.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use uphold_model::{Name, ResourceId, Severity, Side};

use crate::value::Value;

/// A word of an enumeration. Later minor versions may add some, so that a reader must expect others.
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
    /// The call of its module, in one.
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

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// From 1, in characters.
    pub column: usize,
    /// One past its last byte.
    pub end: u32,
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// Its first byte.
    pub start: u32,
}

/// What was or would be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Each property that differs.
    pub differences: Vec<Difference>,
    /// `create`, `update`, `remove` or `run`.
    pub kind: Word,
    /// Exports that only the change will tell.
    pub unknown: Vec<Word>,
}

/// One property that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What should be there.
    pub after: Value,
    /// Whether that is a secret.
    pub after_sensitive: bool,
    /// Whether it is not known yet.
    pub after_unknown: bool,
    /// What the unknown part waits for.
    pub after_waits_for: Option<String>,
    /// What is there.
    pub before: Value,
    /// Whether that is a secret.
    pub before_sensitive: bool,
    /// Whether `after` is only the default of a new one.
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
            default: matches!(difference.to, Side::Default(_)),
            property: difference.property.to_string(),
        }
    }
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Why, outermost first.
    pub causes: Vec<String>,
    /// What still differs after apply.
    pub differences: Vec<Difference>,
    /// Advice.
    pub hint: Option<String>,
    /// What sort of failure.
    pub kind: Word,
    /// What was attempted.
    pub message: String,
    /// What in the configuration it is about, if that is more than the whole resource.
    pub place: Option<Place>,
}

/// A problem of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The stable code of the mistake, such as `E0402`; null for an error that has none.
    #[serde(default)]
    pub code: Option<String>,
    /// What exactly is wrong.
    pub detail: String,
    /// What to do.
    pub fix: Option<String>,
    /// Where.
    pub place: Option<Place>,
    /// What else belongs to it.
    pub related: Vec<Related>,
    /// `error` or `warning`.
    pub severity: Word,
    /// The same words for the same mistake.
    pub summary: String,
}

/// The word for a severity.
pub fn severity(severity: Severity) -> Word {
    match severity {
        Severity::Error => "error".into(),
        Severity::Warning => "warning".into(),
    }
}

/// A place that belongs to a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Why.
    pub label: String,
    /// Where.
    pub place: Place,
}

/// Why an action is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The resource that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Resource>,
    /// When a notification is delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Word>,
    /// `written`, `notified`, or in a watch another one.
    pub reason: Word,
    /// What the machine reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
}

/// Why an action is not wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwanted {
    /// Of a guard: its command, if that may be shown.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub command: Option<Option<String>>,
    /// Of a guard: whether it is that of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_group: Option<bool>,
    /// `when`, `nothing_changed`, `run_failed`, `only_if` or `not_if`.
    pub reason: Word,
}

/// A field that is there, null or not.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// What became of an action, and its data.
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
    Failed {
        failure: Failure,
    },
    Ignored {
        failure: Failure,
    },
    NotWanted {
        not_wanted_because: Unwanted,
    },
    Skipped(Skip),
    /// One that a later version added.
    #[serde(other)]
    Other,
}

/// Why an action was not tried, or not to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// `failed_before`, `stopped`, `too_many_failures`, `too_many_changes` or `not_as_planned`.
    pub skip_reason: Word,
    /// The resource that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_because: Option<Resource>,
    /// True if the run was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<bool>,
    /// What is different from the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_as_planned: Option<String>,
}

/// A value of the whole configuration: it is there, or it failed.
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
    /// Whether something in it is not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<bool>,
    /// What the unknown part waits for.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub waits_for: Option<Option<String>>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Output {
    /// One that is there.
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

    /// One that could not be had.
    pub fn failed(name: &str, failure: Failure) -> Self {
        let (value, sensitive, unknown, waits_for) = Default::default();
        Self { name: name.to_owned(), value, sensitive, unknown, waits_for, failure: Some(failure) }
    }
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is the number of resources with that verdict or change")]
pub struct Summary {
    pub changed: usize,
    pub created: usize,
    pub differ: usize,
    pub failed: usize,
    pub ignored: usize,
    pub may_change: usize,
    pub not_wanted: usize,
    pub ok: usize,
    pub ran: usize,
    pub removed: usize,
    pub skipped: usize,
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
