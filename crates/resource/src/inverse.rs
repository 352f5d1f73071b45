//! Undoing changes: how the state before a change is recorded, and the declaration that brings it back.

mod recorded;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use uphold_model::{
    Action, Attribute, Declaration, GroupRule, Meta, Need, PropertySchema, ResourceId, Role, Schema,
    Statement, ThinVec, Trigger, Type, Value,
};

use super::error::{Error, Result, wrong_type};
use super::host::{EntryKind, Reading};
use super::property::Property;
use super::types::Bytes;

pub use recorded::{RecordedChange, RecordedState, Untouched};

// The inverse of a change, as statements.

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

// How the state that a change replaces can be brought back.

/// How the state that a change replaces can be brought back.
#[derive(Clone, Debug, PartialEq)]
pub enum Previous {
    /// By a declaration of the previous values. The created resource is removed, the removed one created again.
    Values {
        /// Properties that the declaration leaves out: settings of the change alone, such as `backups`, and state that
        /// can only be reached and not left, such as `loaded` of a unit.
        without: &'static [&'static str],
        /// Values that the declaration needs as well: settings that replace the declared ones, such as
        /// `membership = "exact"`, or unchanged state.
        with: Vec<(&'static str, Value)>,
    },
    /// By the previous content of a whole file, of which the resource manages a part. The values of the resource do not
    /// determine all bytes, such as the position of a line.
    Content {
        /// The file.
        path: PathBuf,
        /// The kind that manages a whole file: its name is the path, its property `content` the content.
        kind: &'static str,
        /// Whether the previous values are declared instead if the file was changed meanwhile.
        or_values: bool,
    },
    /// Not at all, for this reason.
    None(Cow<'static, str>),
}

impl Previous {
    /// By a declaration of the previous values, with all declared settings.
    pub const VALUES: Previous = Previous::without(&[]);

    /// By a declaration of the previous values that leaves out these properties.
    pub const fn without(properties: &'static [&'static str]) -> Self {
        Previous::Values { without: properties, with: Vec::new() }
    }

    /// The same, with this value of a setting, or of state that did not change.
    #[must_use]
    pub fn with(mut self, setting: &'static str, value: impl Into<Value>) -> Self {
        if let Previous::Values { with, .. } = &mut self {
            with.push((setting, value.into()));
        }
        self
    }

    /// The properties that the declaration leaves out.
    pub fn without_properties(&self) -> &'static [&'static str] {
        match self {
            Previous::Values { without, .. } => without,
            _ => &[],
        }
    }

    /// The present content of the file that is brought back as a whole; none if it does not exist, or there is none.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be read.
    pub fn content(&self, host: &Reading<'_>) -> Result<Option<Vec<u8>>> {
        let Previous::Content { path, .. } = self else { return Ok(None) };
        let Some(entry) = host.files().look(path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => host.files().read(path, entry.size).map(Some),
            kind => Err(wrong_type(path, kind.words(), "a regular file")),
        }
    }

    /// Not at all, for this reason: a fragment that reads on after the name of the resource and a colon.
    pub fn none(reason: impl Into<Cow<'static, str>>) -> Self {
        Previous::None(reason.into())
    }
}

impl Default for Previous {
    fn default() -> Self {
        Self::VALUES
    }
}

/// Why a change cannot be undone: a fragment that reads on after the name of the resource and a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irreversible(pub Cow<'static, str>);

impl Irreversible {
    /// The resource, or the file that it edits, was changed after the change.
    pub const CHANGED_SINCE: Irreversible = Irreversible(Cow::Borrowed("it was changed since"));

    /// A verb, whose effects no state shows.
    pub fn verb(verb: &str) -> Self {
        Irreversible(format!("the action `{verb}` cannot be undone").into())
    }

    /// An action of a kind without state.
    pub fn effects(kind: &str) -> Self {
        Irreversible(format!("the effects of a {kind} cannot be undone").into())
    }

    /// A state of the resource could not be recorded.
    pub fn unrecorded(error: &Error) -> Self {
        Irreversible(format!("its state could not be recorded: {}", error.chain()).into())
    }
}

impl fmt::Display for Irreversible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Irreversible {}
