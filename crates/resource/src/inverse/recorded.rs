//! Recorded states: plain data that outlives the visit.

use uphold_model::{PropertySchema, ResourceId, Role, Schema, Value};

use super::Previous;
use crate::error::Result;
use crate::host::{Look, Reading};
use crate::instance::{Desired, Instance, Observation};

/// The state of a resource at one moment, with everything that its inverse needs.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedState {
    /// How this state can be brought back.
    pub previous: Previous,
    /// Whether the resource exists.
    pub exists: bool,
    /// Its state properties as loaded; empty if it does not exist.
    pub values: Vec<(&'static str, Value)>,
    /// Its declared identity and settings, without those that its inverse leaves out.
    pub declared: Vec<(&'static str, Value)>,
    /// The content of the file of [`Previous::Content`]; `None` if the file does not exist, or none is recorded.
    pub content: Option<Vec<u8>>,
}

impl RecordedState {
    /// The state before a change. Loads every state property; costs one load, and one read of an edited file.
    ///
    /// # Errors
    /// If the state cannot be loaded, or the edited file cannot be read.
    pub fn before(instance: &dyn Instance, desired: Desired, host: &Reading<'_>) -> Result<Self> {
        let seen = look(instance, desired, host)?;
        Self::of(instance, &seen, instance.previous(&seen), host)
    }

    /// The present state of a resource that no change is about to replace.
    ///
    /// # Errors
    /// If the state cannot be loaded.
    pub fn present(instance: &dyn Instance, host: &Reading<'_>) -> Result<Self> {
        let seen = look(instance, Desired::Present, host)?;
        Self::of(instance, &seen, Previous::VALUES, host)
    }

    /// The state that a change replaces, after it was loaded to compare it. A missing resource is not loaded again, nor the
    /// edited part of a file if the comparison has loaded all of it.
    ///
    /// # Errors
    /// If the state cannot be loaded, or the edited file cannot be read.
    pub fn replaced(instance: &dyn Instance, seen: &Observation, host: &Reading<'_>) -> Result<Self> {
        let previous = instance.previous(seen);
        if seen.exists && !is_complete(instance, seen, &previous) {
            return Self::before(instance, seen.desired, host);
        }
        Self::of(instance, seen, previous, host)
    }

    fn of(
        instance: &dyn Instance,
        seen: &Observation,
        previous: Previous,
        host: &Reading<'_>,
    ) -> Result<Self> {
        let all = instance.schema().all();
        let in_role = |roles: &'static [Role]| {
            all.iter().copied().filter(move |property| roles.contains(&property.role))
        };
        let state = in_role(&[Role::State, Role::EnforcedState]).filter(|_| seen.exists);
        let values =
            state.filter_map(|property| Some((property.name, instance.value(property.name, Some(seen))?)));
        let without = previous.without_properties();
        let declared = in_role(&[Role::Name, Role::Identity, Role::Setting]);
        let declared = declared.filter(|property| !without.contains(&property.name));
        let declared =
            declared.filter_map(|property| Some((property.name, instance.value(property.name, None)?)));
        Ok(Self {
            exists: seen.exists,
            values: values.collect(),
            declared: declared.collect(),
            content: previous.content(host)?,
            previous,
        })
    }

    /// The state of the same resource now, with the content of the same file.
    ///
    /// # Errors
    /// If the state cannot be loaded, or the edited file cannot be read.
    pub fn again(&self, instance: &dyn Instance, host: &Reading<'_>) -> Result<Self> {
        let seen = look(instance, Desired::Present, host)?;
        Self::of(instance, &seen, self.previous.clone(), host)
    }

    /// The value of a state property.
    pub fn value(&self, property: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| *name == property).map(|(_, value)| value)
    }
}

/// Whether a comparison, which loads no more than it needs, has loaded all that brings the state of an edit back: nothing if
/// the file is always brought back as a whole, else every state property.
fn is_complete(instance: &dyn Instance, seen: &Observation, previous: &Previous) -> bool {
    let is_compared = |property: &PropertySchema| {
        property.role == Role::EnforcedState || instance.value(property.name, None).is_some()
    };
    let Previous::Content { or_values, .. } = previous else { return false };
    let mut state = instance.schema().all().into_iter().filter(|property| property.role.is_state());
    seen.desired == Desired::Present && (!or_values || state.all(is_compared))
}

/// Loads every state property.
fn look(instance: &dyn Instance, desired: Desired, host: &Reading<'_>) -> Result<Observation> {
    let all = |_: &str| true;
    Ok(Observation { desired, ..instance.look(&Look::to_read(host).needing(&all))? })
}

/// A change of a resource, recorded so that it can be undone.
#[derive(Debug)]
pub struct RecordedChange {
    /// The resource.
    pub id: ResourceId,
    /// The schema of its kind.
    pub schema: &'static Schema,
    /// Whether its values are secrets.
    pub sensitive: bool,
    /// The state before the change.
    pub before: RecordedState,
    /// Whether the resource existed after the change.
    pub existed: bool,
    /// The state properties that the change has changed.
    pub changed: Vec<&'static str>,
}

impl RecordedChange {
    /// The change between two states.
    pub fn between(
        id: ResourceId,
        schema: &'static Schema,
        sensitive: bool,
        before: RecordedState,
        after: &RecordedState,
    ) -> Self {
        let differs = |property: &&PropertySchema| before.value(property.name) != after.value(property.name);
        let state = schema.all().into_iter().filter(|property| property.role.is_state());
        let changed = state.filter(differs).map(|property| property.name).collect();
        Self { id, schema, sensitive, before, existed: after.exists, changed }
    }

    /// Whether the resource is still as the change left it.
    pub fn compare(&self, after: &RecordedState, now: &RecordedState) -> Untouched {
        let is_same = |property: &&str| after.value(property) == now.value(property);
        Untouched {
            values: after.exists == now.exists && self.without_left_out().all(|property| is_same(&property)),
            content: after.content == now.content,
        }
    }

    /// The changed properties, without those that the inverse leaves out.
    pub(super) fn without_left_out(&self) -> impl Iterator<Item = &'static str> {
        let without = self.before.previous.without_properties();
        self.changed.iter().copied().filter(move |property| !without.contains(property))
    }
}

/// Whether a resource is still as a change left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untouched {
    /// Its existence and the values that the change has changed.
    pub values: bool,
    /// The file that it edits.
    pub content: bool,
}
