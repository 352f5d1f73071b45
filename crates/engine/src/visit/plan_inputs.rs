//! The values that decide what a visit does, so that a saved plan can compare them.

use uphold_model::{Action, Map, Name, PropertySchema, Value};
use uphold_resource::Instance;

use crate::event::Mode;
use crate::graph::NodeIndex;
use crate::lock::Lock;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// The values that were recorded during one visit.
#[derive(Default)]
pub(crate) struct Inputs {
    declared: Lock<Map>,
    /// A dependency that will change in a way that cannot be predicted: contents may be others by then.
    unpredicted: Lock<Option<Name>>,
}

impl Visits<'_> {
    /// Records the name, identity and settings of a resource, if they can differ between a plan and its application.
    /// Called after the resource is prepared, so that a second visit of the same instance records the same values.
    pub(crate) fn record_inputs(&self, node: NodeIndex, instance: &dyn Instance, host: &Visitor<'_>) {
        if self.records_inputs(node) {
            let action = self.program.list.get(node as usize).action();
            let mut declared = values(instance, action, host);
            // What the plan knew of a resource that had to wait is compared with all that is known now.
            if self.mode() == Mode::Apply {
                self.add_known(node, host, &mut declared);
            }
            *host.inputs.declared.lock() = declared;
        }
    }

    /// The recorded values of a resource that has to wait, with all others that are known, state too: it has no differences
    /// that could be compared.
    pub(crate) fn inputs_of_waiting(&self, node: NodeIndex, host: &Visitor<'_>, recorded: Map) -> Map {
        let mut inputs = recorded;
        if self.records_inputs(node) {
            self.add_known(node, host, &mut inputs);
        }
        inputs
    }

    /// Adds the values that are set and known. They are those of the declaration: what a kind completes is not among them.
    fn add_known(&self, node: NodeIndex, host: &Visitor<'_>, inputs: &mut Map) {
        let known = self.decoder().known_values(self.program.list.get(node as usize), &self.scope());
        for (name, value) in known {
            inputs.entry(Name::from(name)).or_insert_with(|| host.shown(value));
        }
    }

    /// Whether changes are compared with a saved plan, or may be saved as one.
    pub(crate) fn is_compared(&self) -> bool {
        self.mode() == Mode::Plan || self.request.approval.is_some()
    }

    /// Values that read no other resource are fixed by the configuration, which is compared as a whole. A nested
    /// resource gets its values from a script, which can read anything.
    fn records_inputs(&self, node: NodeIndex) -> bool {
        let entry = self.program.list.get(node as usize);
        self.is_compared() && (self.around.is_some() || self.program.set.entry(entry.resource).reads_others())
    }
}

impl Visitor<'_> {
    /// Notes that a dependency will change in a way that cannot be predicted.
    pub(crate) fn expect_other_contents(&self, dependency: Option<&Name>) {
        *self.inputs.unpredicted.lock() = dependency.cloned();
    }

    /// The declared values that were recorded.
    pub(crate) fn inputs(&self) -> Map {
        self.inputs.declared.lock().clone()
    }

    /// The same, with contents that the kind has read.
    pub(crate) fn inputs_with(&self, read: Map) -> Map {
        let unpredicted = self.inputs.unpredicted.lock().clone();
        let value = |value| match &unpredicted {
            Some(dependency) => Value::unknown(dependency.clone()),
            None => self.shown(value),
        };
        let mut inputs = self.inputs();
        inputs.extend(read.into_iter().map(|(name, read)| (name, value(read))));
        inputs
    }

    fn shown(&self, value: Value) -> Value {
        if self.hides_all() { value.sensitive() } else { value }
    }
}

/// State is compared as differences, except by a verb, which reports none. State that is unset or not yet known is
/// left out; a setting that is unset is null, so that setting it later is noticed.
fn values(instance: &dyn Instance, action: &Action, host: &Visitor<'_>) -> Map {
    let is_verb = matches!(action, Action::Verb(_));
    let properties = instance.schema().all().into_iter();
    let properties = properties.filter(|property| property.role.is_settable());
    let value = |property: &'static PropertySchema| {
        let value = instance.value(property.name, None);
        let value = match property.role.is_state() {
            true => value.filter(|_| is_verb)?,
            false => value.unwrap_or(Value::Null),
        };
        Some((Name::from(property.name), host.shown(value)))
    };
    properties.filter_map(value).collect()
}
