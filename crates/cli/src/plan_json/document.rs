//! The whole document.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Map, Value as Json, json};
use uphold::model::Value;
use uphold::resource::Registry;
use uphold::saved_plan::SavedPlan;

use super::change::resource_change;
use super::value::Parts;

/// The version of OpenTofu's format that this is a part of.
const FORMAT_VERSION: &str = "1.2";

/// A saved plan as `tofu show -json` prints one, as far as there is the like. `registry` knows the kinds.
pub(crate) fn document(plan: &SavedPlan, registry: &Registry) -> Json {
    let changes: Vec<Json> = plan.actions().map(|action| resource_change(action, registry)).collect();
    let is_change = |change: &Json| change["change"]["actions"][0] != "no-op";
    json!({
        "format_version": FORMAT_VERSION,
        "uphold_version": plan.uphold(),
        "timestamp": timestamp(plan.made_at()),
        "applyable": changes.iter().any(is_change),
        "complete": true,
        "errored": false,
        "variables": variables(plan),
        "planned_values": planned_values(plan, &changes),
        "output_changes": plan.outputs().map(output_change).collect::<Map<_, _>>(),
        "resource_changes": changes,
    })
}

/// RFC 3339, in UTC, whole seconds.
fn timestamp(time: SystemTime) -> String {
    format!("{:.0}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// Params that were given by hand; of a secret nothing is told.
fn variables(plan: &SavedPlan) -> Map<String, Json> {
    let variable = |(name, text): (&str, Option<&str>)| (name.to_owned(), json!({ "value": text }));
    plan.params().map(variable).collect()
}

fn output_change((name, value): (&uphold::model::Name, &Value)) -> (String, Json) {
    let Parts { value, unknown, sensitive } = Parts::of(value);
    let change = json!({
        "actions": ["create"],
        "before": null,
        "after": value,
        "after_unknown": unknown,
        "before_sensitive": false,
        "after_sensitive": sensitive,
    });
    (name.to_string(), change)
}

/// Every resource as it will be, module by module.
fn planned_values(plan: &SavedPlan, changes: &[Json]) -> Json {
    let mut modules: BTreeMap<String, BTreeMap<&str, Json>> = BTreeMap::new();
    for change in changes {
        let (module, address) = (change["module_address"].as_str(), change["address"].as_str());
        let resources = modules.entry(module.unwrap_or_default().to_owned()).or_default();
        let address = address.unwrap_or_default();
        // Of several actions on one resource the last one counts.
        match change["change"]["after"].is_null() {
            true => _ = resources.remove(address),
            false => _ = resources.insert(address, planned_resource(change)),
        }
    }
    let resources = |of: BTreeMap<&str, Json>| of.into_values().collect::<Vec<_>>();
    let root = modules.remove("").map(resources).unwrap_or_default();
    let children =
        modules.into_iter().map(|(address, of)| json!({ "address": address, "resources": resources(of) }));
    let output = |(name, value): (&uphold::model::Name, &Value)| {
        let parts = Parts::of(value);
        (name.to_string(), json!({ "value": parts.value, "sensitive": value.is_sensitive() }))
    };
    json!({
        "outputs": plan.outputs().map(output).collect::<Map<_, _>>(),
        "root_module": { "resources": root, "child_modules": children.collect::<Vec<_>>() },
    })
}

fn planned_resource(change: &Json) -> Json {
    let mut json = json!({ "schema_version": 0 });
    for name in ["address", "mode", "type", "name", "index", "provider_name"] {
        if !change[name].is_null() {
            json[name] = change[name].clone();
        }
    }
    json["values"] = change["change"]["after"].clone();
    json["sensitive_values"] = change["change"]["after_sensitive"].clone();
    json
}
