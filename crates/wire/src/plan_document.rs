//! What `uphold show --json` prints, in the shape of OpenTofu's plans: `docs/plans.md` is the promise.
//!
//! Fields are in the order of their names, which is the order in which they are written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uphold_model::ResourceId;

use crate::object::{Word, present};
use crate::read::Format;
use crate::value::Value;
use crate::version::Version;

/// A saved plan for policy tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanDocument {
    /// Whether there is anything to do.
    pub applyable: bool,
    /// True.
    pub complete: bool,
    /// False.
    pub errored: bool,
    /// The version of OpenTofu's format that this is a part of.
    pub format_version: Version,
    /// A change for each output.
    pub output_changes: BTreeMap<String, Change>,
    /// Everything as it will be.
    pub planned_values: PlannedValues,
    /// Each action, in the order in which it was planned.
    pub resource_changes: Vec<ResourceChange>,
    /// When it was made.
    pub timestamp: String,
    /// The version of Uphold that made it.
    pub uphold_version: String,
    /// Params that were given by hand.
    pub variables: BTreeMap<String, Variable>,
}

impl Format for PlanDocument {
    const NAME: &'static str = "plan document";
    const VERSION: Version = Version::new(1, 2);
}

/// A param that was given by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its value; none for a secret.
    pub value: Option<String>,
}

/// Both sides of a change. A side that is not there is null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// `create`, `update`, `delete` or `no-op`.
    pub actions: Vec<Word>,
    /// As it will be.
    pub after: Value,
    /// True for secrets.
    pub after_sensitive: Value,
    /// True for what only the run will tell.
    pub after_unknown: Value,
    /// As it is.
    pub before: Value,
    /// True for secrets.
    pub before_sensitive: Value,
}

/// One action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceChange {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_reason: Option<Word>,
    /// As it is written in an expression.
    pub address: String,
    /// What becomes of it.
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
    /// What OpenTofu has no place for.
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

/// What OpenTofu has no place for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The action.
    pub action: String,
    /// When a notification is delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Word>,
    /// The resource that notifies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified_by: Option<String>,
    /// What is wrong now, if it may change or its failure is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub now: Option<Option<String>>,
    /// As in the stream.
    pub verdict: Word,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
    /// Where it was written.
    pub written_at: Option<String>,
}

/// Everything as it will be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedValues {
    /// The outputs.
    pub outputs: BTreeMap<String, PlannedOutput>,
    /// What is outside of modules, and the modules.
    pub root_module: RootModule,
}

/// An output as it will be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedOutput {
    /// Whether there is a secret in it.
    pub sensitive: bool,
    /// The value.
    pub value: Value,
}

/// What is outside of modules, and the modules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootModule {
    /// Each module.
    pub child_modules: Vec<Module>,
    /// What is outside of them.
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

/// A resource as it will be.
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
