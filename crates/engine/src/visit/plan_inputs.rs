//! The values that decide what a visit does, so that a saved plan can compare them.

use std::sync::{Mutex, PoisonError};

use uphold_model::{Action, Map, Name, PropertySchema, Value};
use uphold_resource::Instance;

use crate::event::Mode;
use crate::graph::NodeIndex;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// The values that were recorded during one visit.
#[derive(Default)]
pub(crate) struct Inputs {
    declared: Mutex<Map>,
    /// A dependency that will change in a way that cannot be predicted: contents may be others by then.
    unpredicted: Mutex<Option<Name>>,
}

impl Visits<'_> {
    /// Records the name, identity and settings of a resource, if they can differ between a plan and its application.
    /// Called after the resource is prepared, so that a second visit of the same instance records the same values.
    pub(crate) fn record_inputs(&self, node: NodeIndex, instance: &dyn Instance, host: &Visitor<'_>) {
        if self.records_inputs(node) {
            let action = self.program.list.get(node as usize).action();
            let declared = values(instance, action, host);
            *host.inputs.declared.lock().unwrap_or_else(PoisonError::into_inner) = declared;
        }
    }

    /// Values that read no other resource are fixed by the configuration, which is compared as a whole. A nested
    /// resource gets its values from a script, which can read anything.
    fn records_inputs(&self, node: NodeIndex) -> bool {
        let entry = self.program.list.get(node as usize);
        let compared = self.mode() == Mode::Plan || self.request.approval.is_some();
        compared && (self.around.is_some() || self.program.set.entry(entry.resource).reads_others())
    }
}

impl Visitor<'_> {
    /// Notes that a dependency will change in a way that cannot be predicted.
    pub(crate) fn expect_other_contents(&self, dependency: Option<&Name>) {
        *self.inputs.unpredicted.lock().unwrap_or_else(PoisonError::into_inner) = dependency.cloned();
    }

    /// The declared values that were recorded.
    pub(crate) fn inputs(&self) -> Map {
        self.inputs.declared.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same, with contents that the kind has read.
    pub(crate) fn inputs_with(&self, read: Map) -> Map {
        let unpredicted = self.inputs.unpredicted.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
