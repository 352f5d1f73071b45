//! The records of a plan.

use serde::{Deserialize, Serialize};
use uphold_model::{Moment, ResourceId};

use super::change::{Change, Setting};
use crate::object::Pause;
use crate::saved_value::SavedValue;
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
    /// Its notifier.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "via")]
    pub notified_by: Option<ResourceId>,
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
    /// Skipped, because a condition is false.
    ConditionFalse {
        /// The condition.
        condition: Unwanted,
    },
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
