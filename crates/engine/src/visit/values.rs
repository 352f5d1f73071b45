//! The values of a visited resource: those that others read, and those that a saved plan compares.

use uphold_model::{Action, Map, Name, PropertySchema, Role, Value};
use uphold_resource::{Instance, Observation};

use crate::event::Mode;
use crate::program::scope::Publication;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// How much is known of a resource.
#[derive(Clone, Copy)]
pub(crate) enum Knowledge<'a> {
    /// This state was loaded, or is predicted.
    Seen(&'a Observation),
    /// It will be changed from this state, or from one that was not loaded. Only the declared values are known then.
    WillChange(Option<&'a Observation>),
    /// Its declared values: it was not loaded.
    Declared,
}

impl Visitor<'_> {
    /// Publishes the values that others read.
    pub(crate) fn publish(&self, instance: &dyn Instance, known: Knowledge<'_>) {
        let (read_by_others, resource) = (&self.slot().read_by_others, self.resource());
        if read_by_others.is_empty() {
            return;
        }
        if *self.entry().action() == Action::Remove {
            let removed = Publication::Removed(self.fixed_values(instance));
            return self.visits.published.put(resource, removed);
        }
        let id = self.program.id(self.node);
        let value = |property: &Name| {
            let role = instance.schema().property(property).map(|schema| schema.role);
            let value = match (known, role) {
                (Knowledge::WillChange(_), Some(Role::Export)) => None,
                (Knowledge::WillChange(seen), Some(role)) if role.is_state() => {
                    planned(property, instance, seen)
                }
                (Knowledge::WillChange(_) | Knowledge::Declared, _) => instance.value(property, None),
                (Knowledge::Seen(seen), _) => instance.value(property, Some(seen)),
            };
            let value = value.unwrap_or_else(|| Value::unknown(format!("{id}.{property}")));
            let is_computed = role == Some(Role::Export) && instance.is_tainted();
            (property.clone(), if is_computed { value.sensitive() } else { self.shown(value) })
        };
        let values = Publication::Values(read_by_others.iter().map(value).collect());
        self.visits.published.put(resource, values);
    }

    /// The names and settings that others read: all that is known of a resource that is removed, or waits.
    pub(crate) fn fixed_values(&self, instance: &dyn Instance) -> Map {
        let is_fixed = |property: &&Name| {
            let role = instance.schema().property(property).map(|schema| schema.role);
            matches!(role, Some(Role::Name | Role::Identity | Role::Setting))
        };
        let fixed = self.slot().read_by_others.iter().filter(is_fixed);
        fixed
            .filter_map(|property| Some((property.clone(), self.shown(instance.value(property, None)?))))
            .collect()
    }

    /// Records the name, identity and settings of a resource, if they can differ between a plan and its application.
    /// Called after the resource is prepared, so that a second visit of the same instance records the same values.
    pub(crate) fn record_inputs(&self, instance: &dyn Instance) {
        if self.records_inputs() {
            let mut declared = self.declared_values(instance);
            // The values that the plan knew of a resource that had to wait are compared with all that are known now.
            if self.visits.mode() == Mode::Apply {
                self.add_known(&mut declared);
            }
            *self.inputs.lock() = declared;
        }
    }

    /// State is compared as differences, except by a verb, which reports none. State that is unset or not yet known is
    /// left out; a setting that is unset is null, so that setting it later is noticed.
    fn declared_values(&self, instance: &dyn Instance) -> Map {
        let is_verb = matches!(self.entry().action(), Action::Verb(_));
        let properties = instance.schema().all().into_iter();
        let properties = properties.filter(|property| property.role.is_settable());
        let value = |property: &'static PropertySchema| {
            let value = instance.value(property.name, None);
            let value = if property.role.is_state() {
                value.filter(|_| is_verb)?
            } else {
                value.unwrap_or(Value::Null)
            };
            Some((Name::from(property.name), self.shown(value)))
        };
        properties.filter_map(value).collect()
    }

    /// The recorded values of a resource that has to wait, with all others that are known, state too: it has no differences
    /// that could be compared.
    pub(crate) fn inputs_of_waiting(&self, recorded: Map) -> Map {
        let mut inputs = recorded;
        if self.records_inputs() {
            self.add_known(&mut inputs);
        }
        inputs
    }

    /// Adds the values that are set and known. They are those of the declaration, without those that a kind completes.
    fn add_known(&self, inputs: &mut Map) {
        let known = self.visits.decoder().known_values(self.entry(), &self.visits.scope());
        for (name, value) in known {
            inputs.entry(Name::from(name)).or_insert_with(|| self.shown(value));
        }
    }

    /// Values that read no other resource are fixed by the configuration, which is compared as a whole. A nested
    /// resource gets its values from a script, which can read anything.
    fn records_inputs(&self) -> bool {
        let reads_others = || self.program.declared(self.node).reads_others();
        self.visits.is_compared() && (self.visits.around.is_some() || reads_others())
    }

    /// The recorded values, with contents that the kind has read. Those are unknown if a dependency will change in a way that
    /// cannot be predicted.
    pub(crate) fn inputs_with(&self, read: Map) -> Map {
        let value = |value| match &self.before.unpredicted {
            Some(dependency) => Value::unknown(dependency.clone()),
            None => self.shown(value),
        };
        let mut inputs = self.inputs.lock().clone();
        inputs.extend(read.into_iter().map(|(name, read)| (name, value(read))));
        inputs
    }

    /// A value as it may be shown.
    fn shown(&self, value: Value) -> Value {
        if self.hides_all() { value.sensitive() } else { value }
    }
}

impl Visits<'_> {
    /// Whether changes are compared with a saved plan, or may be saved as one.
    pub(crate) fn is_compared(&self) -> bool {
        self.mode() == Mode::Plan || self.request.approval.is_some()
    }
}

/// The planned value of a state property: its goal if it differs, else the loaded value.
fn planned(property: &Name, instance: &dyn Instance, seen: Option<&Observation>) -> Option<Value> {
    let differs =
        seen.and_then(|seen| seen.differences.iter().find(|difference| difference.property == *property));
    match differs {
        Some(difference) => difference.to.value().cloned(),
        None => instance.value(property, seen),
    }
}
