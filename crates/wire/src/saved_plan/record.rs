//! The records of a plan.

use serde::{Deserialize, Serialize};
use uphold_model::{ChangeKind, Moment, ResourceId};

use crate::object::Pause;
use crate::saved_value::SavedValue;
use crate::value::Value;
use crate::via;

/// One record of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// One action on a resource.
    Action(Box<Action>),
    /// A message of a resource.
    Message {
        /// `debug`, `info` or `warning`.
        level: Level,
        /// The resource.
        #[serde(with = "via")]
        resource: ResourceId,
        /// The message.
        text: String,
    },
    /// An output.
    Output {
        /// Its name.
        name: String,
        /// The value.
        value: SavedValue,
    },
}

/// The level of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Only with `--verbose`.
    Debug,
    /// Shown by default.
    Info,
    /// A possible problem.
    Warning,
}

/// One action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// `converge`, `remove` or a verb.
    #[serde(with = "via")]
    pub action: uphold_model::Action,
    /// The attributes that are set and do not differ.
    pub attributes: Vec<Attribute>,
    /// The location of the declaration.
    pub declared_at: Option<String>,
    /// Its position in the list of actions; none for a notified one.
    pub node: Option<u32>,
    /// Its first notifier.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "via")]
    pub notified_by: Option<ResourceId>,
    /// The other notifiers that are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "via")]
    pub also_notified_by: Vec<ResourceId>,
    /// The number of notifiers that are not named.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_notifiers: usize,
    /// The planned outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The resource.
    #[serde(with = "via")]
    pub resource: ResourceId,
    /// When the notification is delivered.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "via")]
    pub timing: Option<Moment>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// An attribute that is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// The property.
    pub name: String,
    /// Its value.
    pub value: SavedValue,
}

/// The planned outcome of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Outcome {
    /// As declared.
    Unchanged,
    /// It would be changed.
    WouldChange {
        /// The change.
        change: Change,
    },
    /// Unknown until another resource is applied.
    MayChange {
        /// The expression that it waits for.
        waits_for: String,
        /// The current error.
        error: Option<String>,
        /// As of [`Change::settings`], as far as they are known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        settings: Vec<Setting>,
    },
    /// Differs, and is only audited.
    Differs {
        /// The change.
        change: Change,
    },
    /// Differs, and is paused.
    Paused {
        /// The change.
        change: Change,
        /// The pause.
        pause: Pause,
    },
    /// Failed, and the failure is ignored.
    Ignored {
        /// The error.
        error: String,
    },
    /// Skipped.
    Skipped {
        /// The condition that is false.
        condition: Unwanted,
        /// The reason: a plan with another one cannot be applied, so it is not saved.
        skip_reason: SkipReason,
    },
}

/// Why an action is skipped, in the words of the JSON stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A condition is false.
    #[default]
    Condition,
}

/// A false condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Unwanted {
    /// Its `when` is false.
    When,
    /// Its group subscribes to resources that did not change.
    NothingChanged,
    /// The run failed.
    RunFailed,
    /// Its `only_if` is false.
    OnlyIf(Guard),
    /// Its `not_if` is true.
    NotIf(Guard),
}

/// A guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The command, unless it is a secret or an expression.
    pub command: Option<String>,
    /// Whether it is the guard of an enclosing group.
    #[serde(default)]
    pub of_group: bool,
}

// A planned change.

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
