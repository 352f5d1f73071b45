//! The declared values of a resource whose kind is defined at run time.

use uphold_model::{Map, PropertySchema, Role, Value};

use super::Definition;

/// The declared values of one resource: its identity, the properties that were set, and the defaults of settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    pub(super) values: Map,
    /// The properties that the user has set, directly or by the label of the block.
    pub(super) set: Vec<&'static str>,
    /// The properties that were computed from a secret.
    pub(super) secret: Vec<&'static str>,
    /// Whether required properties may be missing.
    pub(super) partial: bool,
    /// Whether the resource holds a secret, which restricts the defaults of a created thing.
    pub(super) restricted: bool,
    /// Whether the resource is to be removed.
    pub(super) removal: bool,
}

impl Wishes {
    /// The value of a property: as set, or the default of a setting.
    pub fn get(&self, property: &str) -> Option<&Value> {
        self.values.get(property)
    }

    /// Whether the user has set a property.
    pub fn is_set(&self, property: &str) -> bool {
        self.set.contains(&property)
    }

    /// Whether the resource is to be removed.
    pub fn is_removal(&self) -> bool {
        self.removal
    }

    /// Whether a value was computed from a secret and must not be shown.
    pub fn is_secret(&self, property: &str) -> bool {
        self.secret.contains(&property)
    }

    /// Whether required properties may be missing, because the resource is only removed or read.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// The values that `load` may use: identity and settings, without state.
    pub fn fresh(&self, definition: &dyn Definition) -> Map {
        let is_state = |property: &str| {
            definition.schema().property(property).is_some_and(|property| property.role.is_state())
        };
        let kept = self.values.iter().filter(|(name, _)| !is_state(name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The value that a property should have: the declared one, else the current one, else the create default.
    pub fn goal(
        &self,
        definition: &dyn Definition,
        property: &PropertySchema,
        current: Option<&Map>,
    ) -> Option<Value> {
        let existing = current.and_then(|current| current.get(property.name));
        let settle = |wish: &Value| definition.value_type(property.name).settle(wish, existing);
        let default = || property.default.and_then(|default| default.make().ok());
        match self.values.get(property.name) {
            Some(wish) => Some(settle(wish)),
            None if property.role == Role::EnforcedState => default().as_ref().map(settle),
            None if current.is_some() => existing.cloned(),
            None => default().map(|default| self.create_default(definition, property, default)),
        }
    }

    /// The value of a create default, restricted if the resource holds a secret.
    pub fn create_default(
        &self,
        definition: &dyn Definition,
        property: &PropertySchema,
        default: Value,
    ) -> Value {
        let is_restricted = self.restricted && property.role.is_state();
        if is_restricted { definition.value_type(property.name).for_secret(default) } else { default }
    }

    /// Whether a state property is compared, because it is set or enforced.
    pub fn wants(&self, property: &PropertySchema) -> bool {
        property.role == Role::EnforcedState || (property.role.is_state() && self.is_set(property.name))
    }
}
