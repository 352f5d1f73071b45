//! The whole document.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::Timestamp;
use uphold::model::{Name, Value};
use uphold::resource::Registry;
use uphold::saved_plan::SavedPlan;
use uphold_wire::plan_document::{
    Change, Module, PlanDocument, PlannedOutput, PlannedResource, PlannedValues, ResourceChange, RootModule,
    Variable,
};
use uphold_wire::{Format, Marked, Value as Shown};

use super::change::resource_change;

/// A saved plan as `tofu show -json` prints one, as far as there is the like. `registry` knows the kinds.
pub(crate) fn document(plan: &SavedPlan, registry: &Registry) -> PlanDocument {
    let changes: Vec<ResourceChange> =
        plan.actions().map(|action| resource_change(action, registry)).collect();
    PlanDocument {
        applyable: changes.iter().any(|one| one.change.actions[0] != "no-op"),
        complete: true,
        errored: false,
        format_version: PlanDocument::VERSION,
        output_changes: plan.outputs().map(output_change).collect(),
        planned_values: planned_values(plan, &changes),
        resource_changes: changes,
        timestamp: timestamp(plan.made_at()),
        uphold_version: plan.uphold().to_owned(),
        variables: plan.params().map(variable).collect(),
    }
}

/// RFC 3339, in UTC, whole seconds.
fn timestamp(time: SystemTime) -> String {
    format!("{:.0}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// A param that was given by hand; of a secret nothing is told.
fn variable((name, text): (&str, Option<&str>)) -> (String, Variable) {
    (name.to_owned(), Variable { value: text.map(str::to_owned) })
}

fn output_change((name, value): (&Name, &Value)) -> (String, Change) {
    let Marked { value, unknown, sensitive } = Marked::from(&Shown::from(value));
    let change = Change {
        actions: vec!["create".into()],
        after: value.unwrap_or(Shown::Null),
        after_sensitive: sensitive,
        after_unknown: unknown,
        before: Shown::Null,
        before_sensitive: Shown::Bool(false),
    };
    (name.to_string(), change)
}

/// Every resource as it will be, module by module.
fn planned_values(plan: &SavedPlan, changes: &[ResourceChange]) -> PlannedValues {
    let mut modules: BTreeMap<&str, BTreeMap<&str, PlannedResource>> = BTreeMap::new();
    for change in changes {
        let resources = modules.entry(change.module_address.as_deref().unwrap_or_default()).or_default();
        // Of several actions on one resource the last one counts.
        match change.change.after {
            Shown::Null => _ = resources.remove(&*change.address),
            _ => _ = resources.insert(&change.address, change.into()),
        }
    }
    let resources = |of: BTreeMap<&str, PlannedResource>| of.into_values().collect();
    let root = modules.remove("").map(resources).unwrap_or_default();
    let child = |(address, of): (&str, _)| Module { address: address.to_owned(), resources: resources(of) };
    PlannedValues {
        outputs: plan.outputs().map(planned_output).collect(),
        root_module: RootModule { child_modules: modules.into_iter().map(child).collect(), resources: root },
    }
}

fn planned_output((name, value): (&Name, &Value)) -> (String, PlannedOutput) {
    let shown = Marked::from(&Shown::from(value)).value.unwrap_or(Shown::Null);
    (name.to_string(), PlannedOutput { sensitive: value.is_sensitive(), value: shown })
}
