//! The inverse of a change, as statements.

use uphold_model::{
    Action, Attribute, Declaration, GroupRule, Meta, Need, PropertySchema, ResourceId, Role, Schema,
    Statement, ThinVec, Trigger, Type, Value,
};

use super::previous::{Irreversible, Previous};
use super::recorded::{RecordedChange, RecordedState, Untouched};
use crate::property::Property;
use crate::types::Bytes;

/// A declaration that brings the previous state back, and the action that applies it.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// The declaration.
    pub declaration: Declaration,
    /// `converge` or `remove`.
    pub action: Action,
}

impl Inverse {
    fn new(id: ResourceId, action: Action, attributes: Vec<Attribute>, sensitive: bool) -> Self {
        let meta = Meta { sensitive, ..Meta::default() };
        Self { declaration: Declaration { id, place: None, attributes: attributes.into(), meta }, action }
    }

    /// The statements of a configuration that does this.
    pub fn into_statements(self) -> Vec<Statement> {
        let Self { declaration, action } = self;
        let id = declaration.id.clone();
        let trigger = Trigger { id, action, place: None, depends_on: ThinVec::default(), when: None };
        vec![Statement::Declare(declaration), Statement::Trigger(trigger)]
    }
}

/// The inverse of a change: a created resource is removed, a removed one created from all its previous values, and an
/// updated one gets the previous values of the properties that changed. `untouched` compares the present state with the one
/// after the change.
///
/// # Errors
/// The reason why the previous state cannot be brought back exactly, or that it was changed since.
pub fn inverse(change: &RecordedChange, untouched: Untouched) -> Result<Inverse, Irreversible> {
    let before = &change.before;
    match &before.previous {
        Previous::None(reason) => Err(Irreversible(reason.clone())),
        Previous::Content { path, kind, .. } if untouched.content => {
            let id = ResourceId::new(*kind, path.to_string_lossy());
            Ok(match &before.content {
                None => Inverse::new(id, Action::Remove, Vec::new(), change.sensitive),
                Some(content) => {
                    let content = Attribute::known("content", Bytes::from(content.clone()).to_value());
                    Inverse::new(id, Action::Converge, vec![content], change.sensitive)
                }
            })
        }
        Previous::Content { or_values: true, .. } => {
            Values { without: &[], with: &[] }.inverse(change, untouched)
        }
        Previous::Content { .. } => Err(Irreversible::CHANGED_SINCE),
        Previous::Values { without, with } => Values { without, with }.inverse(change, untouched),
    }
}

/// A declaration of previous values.
struct Values<'a> {
    without: &'a [&'static str],
    with: &'a [(&'static str, Value)],
}

impl Values<'_> {
    fn inverse(&self, change: &RecordedChange, untouched: Untouched) -> Result<Inverse, Irreversible> {
        let RecordedChange { schema, before, existed, .. } = change;
        let state = schema.all().into_iter().filter(|property| property.role.is_state());
        let state: Vec<_> = state.filter(|property| !self.without.contains(&property.name)).collect();
        let has_changed = |property: &PropertySchema| change.changed.contains(&property.name);
        if !untouched.values {
            return Err(Irreversible::CHANGED_SINCE);
        }
        if !before.exists && !schema.removable {
            return Err(Irreversible(format!("a {} cannot be removed", schema.kind).into()));
        }
        if before.exists && *existed && !state.iter().any(|property| has_changed(property)) {
            return Err(Irreversible::effects(schema.kind));
        }
        // Null is enforced anyway, and may exclude another property.
        let is_enforced = |property: &PropertySchema| {
            let default = property.default.and_then(|default| default.make().ok());
            property.role == Role::EnforcedState
                && default == Some(Value::Null)
                && before.value(property.name) == default.as_ref()
        };
        let is_needed = |property: &PropertySchema| {
            let is_set = property.need == Need::Required || property.role == Role::EnforcedState;
            !is_enforced(property) && (is_set || !existed || has_changed(property))
        };
        let mut attributes = Vec::new();
        for property in state.iter().filter(|property| before.exists && is_needed(property)) {
            attributes.extend(attribute(property, before, *existed && has_changed(property))?);
        }
        let settings = self.settings(change, before, &attributes);
        attributes.extend(settings);
        if before.exists {
            complete(schema, before, &mut attributes);
        }
        let action = if before.exists { Action::Converge } else { Action::Remove };
        Ok(Inverse::new(change.id.clone(), action, attributes, change.sensitive))
    }

    /// The identity and settings of the declaration: without defaults, and without settings that exclude a declared state
    /// property.
    fn settings(
        &self,
        change: &RecordedChange,
        before: &RecordedState,
        state: &[Attribute],
    ) -> Vec<Attribute> {
        let schema = change.schema;
        let is_default = |property: &PropertySchema, value: &Value| {
            property.default.and_then(|default| default.make().ok()).as_ref() == Some(value)
        };
        let is_label = |property: &PropertySchema, value: &Value| {
            property.role == Role::Name && *value == Value::Text(change.id.label().clone())
        };
        let is_replaced = |name: &str| self.with.iter().any(|(setting, _)| *setting == name);
        let declared = before.declared.iter().filter(|(name, _)| !is_replaced(name));
        let declared = declared.filter_map(|(name, value)| Some((schema.property(name)?, value)));
        let declared = declared.filter(|(property, value)| {
            **value != Value::Null
                && !is_default(property, value)
                && !is_label(property, value)
                && !self.without.contains(&property.name)
                && !state.iter().any(|set| exclude_each_other(schema, property.name, &set.name))
        });
        let declared = declared.map(|(property, value)| (property.name, value));
        let is_set = |name: &str| state.iter().any(|set| *set.name == *name);
        let with = self.with.iter().filter(|(name, _)| !is_set(name)).map(|(name, value)| (*name, value));
        declared.chain(with).map(|(name, value)| Attribute::known(name, value.clone())).collect()
    }
}

/// Adds unchanged state properties of which the kind requires at least one.
fn complete(schema: &Schema, before: &RecordedState, attributes: &mut Vec<Attribute>) {
    for group in schema.all_groups().into_iter().filter(|group| group.rule == GroupRule::AnyOf) {
        if !attributes.iter().any(|attribute| group.properties.contains(&&*attribute.name)) {
            let previous = group.properties.iter().filter_map(|name| Some((*name, before.value(name)?)));
            let set = previous.filter(|(_, value)| *value.reveal() != Value::Null);
            attributes.extend(set.map(|(name, value)| Attribute::known(name, value.clone())));
        }
    }
}

/// The previous value of a state property; none if it had none.
fn attribute(
    property: &PropertySchema,
    before: &RecordedState,
    is_needed: bool,
) -> Result<Option<Attribute>, Irreversible> {
    let accepts_null = matches!(property.ty, Type::Nullable(_) | Type::Any);
    match before.value(property.name) {
        Some(value) if *value.reveal() != Value::Null || accepts_null => {
            Ok(Some(Attribute::known(property.name, value.clone())))
        }
        _ if is_needed => Err(Irreversible(format!("its `{}` had no value before", property.name).into())),
        _ => Ok(None),
    }
}

fn exclude_each_other(schema: &Schema, one: &str, other: &str) -> bool {
    schema.all_groups().into_iter().any(|group| {
        group.rule == GroupRule::Exclusive
            && group.properties.contains(&one)
            && group.properties.contains(&other)
    })
}
