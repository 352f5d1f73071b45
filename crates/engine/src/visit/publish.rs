//! What a visit tells those who read its resource.

use uphold_model::{Action, Map, Name, Role, Value};
use uphold_resource::{Instance, Observation};

use crate::program::Node;
use crate::program::list::ActionEntry;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// What is known of a resource.
#[derive(Clone, Copy)]
pub(crate) enum Knowledge<'a> {
    /// It was seen like this, or will be.
    Seen(&'a Observation),
    /// It will be changed from this, or from nothing that was looked at; what comes of it is not known,
    /// except for what was asked for: that is how it will be.
    WillChange(Option<&'a Observation>),
    /// Nobody looked.
    Told,
}

impl Visits<'_> {
    /// Publishes what others read.
    pub(crate) fn publish(
        &self,
        entry: &ActionEntry,
        node: &Node,
        instance: &dyn Instance,
        host: &Visitor<'_>,
        known: Knowledge<'_>,
    ) {
        if node.read_by_others.is_empty() {
            return;
        }
        if *entry.action() == Action::Remove {
            return self.published.remove(entry.resource, said(node, instance, host));
        }
        let id = self.program.set.id(entry.resource);
        let hide = host.hides_all();
        let value = |property: &Name| {
            let role = instance.schema().property(property).map(|schema| schema.role);
            let value = match (known, role) {
                (Knowledge::WillChange(_), Some(Role::Export)) => None,
                (Knowledge::WillChange(seen), Some(role)) if role.is_state() => {
                    planned(property, instance, seen)
                }
                (Knowledge::WillChange(_) | Knowledge::Told, _) => instance.value(property, None),
                (Knowledge::Seen(seen), _) => instance.value(property, Some(seen)),
            };
            let value = value.unwrap_or_else(|| Value::unknown(format!("{id}.{property}")));
            let computed = role == Some(Role::Export) && instance.is_tainted();
            (property.clone(), if hide || computed { value.sensitive() } else { value })
        };
        let values: Map = node.read_by_others.iter().map(value).collect();
        self.published.put(entry.resource, values);
    }
}

/// Of what is gone, or waits, only what was said about it is known.
pub(crate) fn said(node: &Node, instance: &dyn Instance, host: &Visitor<'_>) -> Map {
    let fixed = |property: &&Name| {
        let role = instance.schema().property(property).map(|schema| schema.role);
        matches!(role, Some(Role::Name | Role::Identity | Role::Setting))
    };
    let said = node.read_by_others.iter().filter(fixed);
    let shown = |value: Value| if host.hides_all() { value.sensitive() } else { value };
    said.filter_map(|property| Some((property.clone(), shown(instance.value(property, None)?)))).collect()
}

/// What a state property will be: its goal if it differs, else what is there.
fn planned(property: &Name, instance: &dyn Instance, seen: Option<&Observation>) -> Option<Value> {
    let differs =
        seen.and_then(|seen| seen.differences.iter().find(|difference| difference.property == *property));
    match differs {
        Some(difference) => difference.to.value().cloned(),
        None => instance.value(property, seen),
    }
}
