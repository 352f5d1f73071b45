//! What a plan showed.

use serde::{Deserialize, Serialize};
use uphold_model::{Name, ResourceId};

use super::change::{Change, Setting};
use crate::saved_value::SavedValue;

/// One thing that a plan showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// One action on a resource.
    Action(Box<Action>),
    /// A resource had something to say.
    Message {
        /// `debug`, `info` or `warning`.
        level: Level,
        /// The resource.
        resource: Resource,
        /// The message.
        text: String,
    },
    /// A value of the whole configuration.
    Output {
        /// Its name.
        name: String,
        /// The value.
        value: SavedValue,
    },
}

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Only with `--verbose`.
    Debug,
    /// For everybody.
    Info,
    /// Something may be wrong.
    Warning,
}

/// One action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// `converge`, `remove` or a verb.
    pub action: String,
    /// What was set, besides what differs.
    pub attributes: Vec<Attribute>,
    /// When it is done relative to its notifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<String>,
    /// Its place in the list of actions; none for a notified one.
    pub node: Option<u64>,
    /// Its notifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified_by: Option<Resource>,
    /// What would become of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The resource.
    pub resource: Resource,
    /// Where it was written.
    pub written_at: Option<String>,
}

/// A resource, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    name: String,
}

impl From<&ResourceId> for Resource {
    fn from(id: &ResourceId) -> Self {
        let part = |part: Option<&Name>| part.map(ToString::to_string);
        let (kind, name) = (id.kind.to_string(), id.name.to_string());
        Self { key: part(id.key()), kind, module: part(id.module()), name }
    }
}

impl From<Resource> for ResourceId {
    fn from(Resource { key, kind, module, name }: Resource) -> Self {
        ResourceId::new(kind, name).in_module(module.map(Into::into)).with_key(key.map(Into::into))
    }
}

/// A property that was set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// The property.
    pub name: String,
    /// Its value.
    pub value: SavedValue,
}

/// What would become of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Outcome {
    /// It is as declared.
    Unchanged,
    /// It would be changed so.
    WouldChange {
        /// How.
        change: Change,
    },
    /// Only the run of something else will tell.
    MayChange {
        /// What it waits for.
        waits_for: String,
        /// What is wrong as long as that is not done.
        now: Option<String>,
        /// As of [`Change::settings`], as far as they are known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        settings: Vec<Setting>,
    },
    /// It differs, and is only audited.
    Differs {
        /// How.
        change: Change,
    },
    /// It failed, which is ignored.
    Ignored {
        /// Why it failed.
        now: String,
    },
    /// It is skipped by its configuration.
    NotWanted {
        /// Why.
        why: Unwanted,
    },
}

/// Why an action is not wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Unwanted {
    /// Its `when` is false.
    When,
    /// Nothing changed that its group subscribes to.
    NothingChanged,
    /// The run failed.
    RunFailed,
    /// Its `only_if` is false.
    OnlyIf(Guard),
    /// Its `not_if` is true.
    NotIf(Guard),
}

/// The guard that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The command, if it is one that may be shown.
    pub command: Option<String>,
    /// Whether it is the guard of a group.
    #[serde(default)]
    pub of_group: bool,
}
