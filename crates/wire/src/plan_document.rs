//! The output of `uphold show --json`, in OpenTofu's plan format; `docs/plans.md` specifies it.
//!
//! Fields are in the order of their names, which is the order in which they are written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uphold_model::ResourceId;

use super::version::Format;
use crate::object::{Word, present};
use crate::value::Value;
use crate::version::Version;

/// A saved plan for policy tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanDocument {
    /// Whether there are changes.
    pub applyable: bool,
    /// True.
    pub complete: bool,
    /// False.
    pub errored: bool,
    /// The version of OpenTofu's format that this is a subset of.
    pub format_version: Version,
    /// The changes of the outputs.
    pub output_changes: BTreeMap<String, Change>,
    /// The planned state.
    pub planned_values: PlannedValues,
    /// The actions, in the order in which they were planned.
    pub resource_changes: Vec<ResourceChange>,
    /// The time of the plan.
    pub timestamp: String,
    /// The version of Uphold that made it.
    pub uphold_version: String,
    /// Params from the command line and the environment.
    pub variables: BTreeMap<String, Variable>,
}

impl Format for PlanDocument {
    const NAME: &'static str = "plan document";
    const VERSION: Version = Version::new(1, 2);
}

/// A param from the command line or the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its value; none for a secret.
    pub value: Option<String>,
}

/// Both sides of a change. The side of a missing resource is null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// `create`, `update`, `delete` or `no-op`.
    pub actions: Vec<Word>,
    /// The planned state.
    pub after: Value,
    /// True for secrets.
    pub after_sensitive: Value,
    /// True where the value is known after apply.
    pub after_unknown: Value,
    /// The current state.
    pub before: Value,
    /// True for secrets.
    pub before_sensitive: Value,
}

/// One action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceChange {
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_reason: Option<Word>,
    /// As it is written in an expression.
    pub address: String,
    /// The change.
    pub change: Change,
    /// Its key, with `for_each`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// `managed`.
    pub mode: Word,
    /// The call of its module, in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_address: Option<String>,
    /// The label.
    pub name: String,
    /// `uphold`.
    pub provider_name: Word,
    /// The kind.
    pub r#type: String,
    /// Fields that OpenTofu does not have.
    pub uphold: Detail,
}

impl ResourceChange {
    /// The change of a resource.
    pub fn new(id: &ResourceId, change: Change, action_reason: Option<Word>, uphold: Detail) -> Self {
        Self {
            action_reason,
            address: id.to_string(),
            change,
            index: id.key().map(ToString::to_string),
            mode: "managed".into(),
            module_address: id.module().map(ToString::to_string),
            name: id.name.to_string(),
            provider_name: "uphold".into(),
            r#type: id.kind.to_string(),
            uphold,
        }
    }
}

/// Fields that OpenTofu does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The action.
    pub action: String,
    /// The location of the declaration.
    pub declared_at: Option<String>,
    /// The current error, if it may change or its failure is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub error: Option<Option<String>>,
    /// The resource that notifies it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified_by: Option<String>,
    /// The other notifiers that are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_notified_by: Vec<String>,
    /// The number of notifiers that are not named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_notifiers: Option<usize>,
    /// Why it is skipped, as in the JSON stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<Word>,
    /// When the notification is delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Word>,
    /// As in the JSON stream.
    pub verdict: Word,
    /// The expression that it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
}

/// The planned state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedValues {
    /// The outputs.
    pub outputs: BTreeMap<String, PlannedOutput>,
    /// The root module.
    pub root_module: RootModule,
}

/// A planned output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedOutput {
    /// Whether there is a secret in it.
    pub sensitive: bool,
    /// The value.
    pub value: Value,
}

/// The root module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootModule {
    /// The modules.
    pub child_modules: Vec<Module>,
    /// The resources outside modules.
    pub resources: Vec<PlannedResource>,
}

/// The resources of a module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its call.
    pub address: String,
    /// Its resources.
    pub resources: Vec<PlannedResource>,
}

/// A planned resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedResource {
    /// As it is written in an expression.
    pub address: String,
    /// Its key, with `for_each`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// `managed`.
    pub mode: Word,
    /// The label.
    pub name: String,
    /// `uphold`.
    pub provider_name: Word,
    /// Always 0.
    pub schema_version: u32,
    /// True for secrets.
    pub sensitive_values: Value,
    /// The kind.
    pub r#type: String,
    /// Its properties.
    pub values: Value,
}

impl From<&ResourceChange> for PlannedResource {
    fn from(one: &ResourceChange) -> Self {
        Self {
            address: one.address.clone(),
            index: one.index.clone(),
            mode: one.mode.clone(),
            name: one.name.clone(),
            provider_name: one.provider_name.clone(),
            schema_version: 0,
            sensitive_values: one.change.after_sensitive.clone(),
            r#type: one.r#type.clone(),
            values: one.change.after.clone(),
        }
    }
}
