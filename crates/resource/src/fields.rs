//! Decodes declared values into the fields of a struct, and collects all problems.

use std::path::PathBuf;

use uphold_model::{
    Action, Group, GroupRule, META_ARGUMENTS, Name, Need, Problem, ProblemKind, PropertySchema, Role, Schema,
    Value, closest, foreign_argument, foreign_existence, foreign_property,
};

use super::property::{Context, DefaultFor, Property};
use crate::findings::Findings;
use crate::group_problem::group_problem;
use crate::rules;
use crate::shape;
use crate::want::Want;

/// The declared values of a resource, and the problems found while they are decoded.
pub struct Fields<'a> {
    /// Values that were set and not taken yet.
    values: Vec<(Name, Value)>,
    /// Names of the properties that were set, for rules over several properties.
    set: Vec<&'static str>,
    /// Properties that were probably meant by an unknown name. They are not missing, and conflict with nothing.
    meant: Vec<&'static str>,
    label: Option<&'a str>,
    /// The label as a shared string, if there is one.
    shared: Option<Name>,
    /// The action of the resource; `None` if it is only read.
    action: Option<&'a Action>,
    home: &'a dyn Fn(&str) -> Option<PathBuf>,
    base: Option<String>,
    /// The resource that the base is waiting for, if the base is unknown.
    base_waits_for: Option<Name>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    unknown: Vec<(&'static str, Name)>,
    tainted: Vec<&'static str>,
    /// The values of set properties, if they were requested.
    known: Option<Vec<(&'static str, Value)>>,
}

impl<'a> Fields<'a> {
    /// The fields of a declared resource with this label.
    pub fn new(label: &'a str, values: Vec<(Name, Value)>, action: &'a Action, context: Context<'a>) -> Self {
        Self { label: Some(label), ..Self::nested(values, Some(action), context) }
    }

    /// The fields of a resource that is only read: its identity is enough.
    pub fn for_reading(label: &'a str, values: Vec<(Name, Value)>, context: Context<'a>) -> Self {
        Self { label: Some(label), ..Self::nested(values, None, context) }
    }

    /// Adds the label as a shared string, so that the name is not copied.
    #[must_use]
    pub fn sharing(self, label: &Name) -> Self {
        Self { shared: Some(label.clone()), ..self }
    }

    /// Records the values of set properties in the findings, even if the resource has to wait for another value.
    #[must_use]
    pub fn recording(self) -> Self {
        Self { known: Some(Vec::new()), ..self }
    }

    /// The fields of a nested struct.
    pub fn nested(values: Vec<(Name, Value)>, action: Option<&'a Action>, context: Context<'a>) -> Self {
        Self {
            // All values and the label.
            set: Vec::with_capacity(values.len() + 1),
            values,
            meant: Vec::new(),
            label: None,
            shared: None,
            action,
            home: context.home,
            base: None,
            base_waits_for: None,
            problems: Vec::new(),
            warnings: Vec::new(),
            unknown: Vec::new(),
            tainted: Vec::new(),
            known: None,
        }
    }

    /// Makes relative paths of the fields that follow relative to the property `name`.
    pub fn relative_to(&mut self, name: &str, base: Option<&str>) {
        self.base = base.map(str::to_owned);
        let unknown = self.unknown.iter().find(|(property, _)| *property == name);
        self.base_waits_for = unknown.map(|(_, waits_for)| waits_for.clone());
    }

    /// Ends the effect of [`Fields::relative_to`].
    pub fn relative_to_nothing(&mut self) {
        (self.base, self.base_waits_for) = (None, None);
    }

    fn context(&self) -> Context<'_> {
        Context { home: self.home, base: self.base.as_deref() }
    }

    /// The name: as set, else the label.
    pub fn name<T: Property>(&mut self, schema: &'static PropertySchema) -> Option<T> {
        if let Some(value) = self.take(schema) {
            return self.decode(schema, &value);
        }
        if self.waits(schema) {
            return None;
        }
        let label = self.label?;
        let label = self.shared.take().map_or_else(|| Value::text(label), Value::Text);
        self.set.push(schema.name);
        self.decode(schema, &label)
    }

    /// A state property.
    pub fn want<T: Property>(&mut self, schema: &'static PropertySchema) -> Want<T> {
        let value = self.take(schema);
        if value.is_none() && !self.waits(schema) && self.is_required(schema) {
            self.missing(schema);
        }
        value.and_then(|value| self.decode(schema, &value)).map_or(Want::Unset, Want::Set)
    }

    /// An optional setting.
    pub fn optional<T: Property>(&mut self, schema: &'static PropertySchema) -> Option<T> {
        match self.take(schema) {
            Some(value) => self.decode(schema, &value),
            None => {
                if !self.waits(schema) && self.is_required(schema) {
                    self.missing(schema);
                }
                None
            }
        }
    }

    /// A required setting, or part of the identity.
    pub fn required<T: Property>(&mut self, schema: &'static PropertySchema) -> Option<T> {
        let value = self.take(schema);
        if value.is_none() && !self.waits(schema) {
            self.missing(schema);
        }
        value.and_then(|value| self.decode(schema, &value))
    }

    /// A setting with a default, which is read like a declared value.
    pub fn defaulted<T: Property>(
        &mut self,
        schema: &'static PropertySchema,
        default: impl DefaultFor<T>,
    ) -> Option<T> {
        match self.take(schema) {
            Some(value) => self.decode(schema, &value),
            None if self.waits(schema) => None,
            None => {
                let made = default.make(&self.context());
                self.keep(schema, made)
            }
        }
    }

    /// A property of a kind that is defined at run time, by its role. `read` is its type.
    pub(crate) fn defined(
        &mut self,
        schema: &'static PropertySchema,
        read: &dyn Fn(&Value, &Context<'_>) -> Result<Value, Problem>,
    ) -> Option<Value> {
        let label = |label: &'a str| Value::text(label);
        let value = match self.take(schema) {
            Some(value) => value,
            None if self.waits(schema) => return None,
            None if schema.role == Role::Name => {
                self.set.push(schema.name);
                label(self.label?)
            }
            None if self.is_required(schema) || is_identity(schema) => {
                self.missing(schema);
                return None;
            }
            None if schema.role.is_state() => return None,
            None => return schema.default.and_then(|default| default.make().ok()),
        };
        let made = read(&value, &self.context());
        self.record(schema, made.as_ref().ok().cloned());
        self.keep(schema, made)
    }

    /// Whether the resource is to be removed.
    pub(crate) fn is_removal(&self) -> bool {
        self.action == Some(&Action::Remove)
    }

    /// The properties that were set so far.
    pub(crate) fn set(&self) -> &[&'static str] {
        &self.set
    }

    /// Ends decoding: reports values that no field took, and checks the rules over several properties.
    pub fn finish(mut self, what: &str, schema: &Schema) -> Findings {
        if !self.values.is_empty() {
            self.refuse_leftovers(what, &schema.all());
        }
        self.check_groups(schema);
        Findings {
            problems: self.problems,
            warnings: self.warnings,
            unknown: self.unknown,
            tainted: self.tainted,
            known: self.known.unwrap_or_default(),
        }
    }

    /// Takes a value that was set, with secrets revealed and recorded. An unknown one is recorded and counts as not set.
    fn take(&mut self, schema: &'static PropertySchema) -> Option<Value> {
        let value = self.take_by_any_name(schema)?;
        self.set.push(schema.name);
        if let Some(unknown) = value.first_unknown() {
            self.unknown.push((schema.name, unknown.waits_for.clone()));
            let refused = shape::refuse(&value, schema.ty);
            let secret = value.is_sensitive() || schema.ty.is_secret();
            let refused = refused.map(|problem| if secret { problem.hidden() } else { problem });
            self.problems.extend(refused.into_iter().flat_map(|p| p.inside(schema.name).into_all()));
            return None;
        }
        if value.is_sensitive() {
            self.tainted.push(schema.name);
            return Some(rules::reveal(&value));
        }
        Some(value)
    }

    fn take_by_any_name(&mut self, schema: &'static PropertySchema) -> Option<Value> {
        if let Some(at) = self.values.iter().position(|(name, _)| **name == *schema.name) {
            let (_, value) = self.values.swap_remove(at);
            if let Some((new, why)) = schema.replaced_by {
                self.warn(schema.name, format!("is deprecated: {why}"), format!("use `{new}`"));
            }
            return Some(value);
        }
        let at = self.values.iter().position(|(name, _)| schema.aliases.contains(&&**name))?;
        let (alias, value) = self.values.swap_remove(at);
        self.warn(&alias, format!("is an old name of `{}`", schema.name), format!("write `{}`", schema.name));
        Some(value)
    }

    fn warn(&mut self, property: &str, rule: String, fix: String) {
        self.warnings.push(Problem::new(None, rule, fix).sort(ProblemKind::Deprecated).inside(property));
    }

    fn waits(&self, schema: &PropertySchema) -> bool {
        self.unknown.iter().any(|(name, _)| *name == schema.name)
    }

    fn decode<T: Property>(&mut self, schema: &'static PropertySchema, value: &Value) -> Option<T> {
        let checked = T::from_value(value, &self.context()).and_then(|decoded| {
            if !schema.rules.is_empty() {
                rules::check(schema.rules, &decoded.to_value())?;
            }
            Ok(decoded)
        });
        if self.known.is_some() {
            self.record(schema, checked.as_ref().ok().map(T::to_value));
        }
        self.keep(schema, checked)
    }

    fn record(&mut self, schema: &'static PropertySchema, value: Option<Value>) {
        let secret = self.tainted.contains(&schema.name) || schema.ty.is_secret();
        if let (Some(known), Some(value)) = (&mut self.known, value) {
            known.push((schema.name, if secret { value.sensitive() } else { value }));
        }
    }

    /// Returns the value or records its problem. A value that is relative to an unknown one becomes unknown, too.
    fn keep<T>(&mut self, schema: &'static PropertySchema, made: Result<T, Problem>) -> Option<T> {
        match made {
            Ok(value) => Some(value),
            Err(_) if self.base_waits_for.is_some() => {
                self.unknown.extend(self.base_waits_for.clone().map(|waits_for| (schema.name, waits_for)));
                None
            }
            Err(problem) => {
                let secret = self.tainted.contains(&schema.name) || schema.ty.is_secret();
                let problem = if secret { problem.hidden() } else { problem };
                self.problems.extend(problem.inside(schema.name).into_all());
                None
            }
        }
    }

    /// Whether the resource is to be created or updated.
    pub(crate) fn converges(&self) -> bool {
        self.action == Some(&Action::Converge)
    }

    /// Whether required properties may be missing, because the resource is only removed or read.
    pub(crate) fn is_partial(&self) -> bool {
        self.action.is_none_or(|action| *action == Action::Remove)
    }

    /// State is required to converge; to remove a resource, its identity is enough.
    fn is_required(&self, schema: &PropertySchema) -> bool {
        match schema.need {
            Need::Optional => false,
            Need::Required => self.converges() || schema.role == Role::Setting,
            Need::RequiredFor(actions) => self.action.is_some_and(|action| actions.contains(&action.word())),
        }
    }

    fn missing(&mut self, schema: &PropertySchema) {
        let rule = match schema.need {
            Need::RequiredFor(_) => {
                let action = self.action.map_or("read", Action::word);
                format!("is required to {action}")
            }
            _ => "is required".to_owned(),
        };
        let fix = format!("add `{} = …` ({})", schema.name, schema.ty);
        self.problems.push(Problem::new(None, rule, fix).sort(ProblemKind::Missing).inside(schema.name));
    }

    fn refuse_leftovers(&mut self, what: &str, all: &[&'static PropertySchema]) {
        for (name, value) in std::mem::take(&mut self.values) {
            let export = all.iter().any(|p| *p.name == *name && p.role == Role::Export);
            let (sort, rule, fix) = if export {
                let rule = format!("of `{what}` is an export and cannot be set");
                (ProblemKind::Invalid, rule, "remove the line".to_owned())
            } else {
                let fix = self.explain_unknown(what, &name, &value, all);
                (ProblemKind::Unknown, format!("is not a property of `{what}`"), fix)
            };
            let value = (!value.is_sensitive() && !value.is_unknown()).then_some(value);
            self.problems.push(Problem::new(value.as_ref(), rule, fix).sort(sort).inside(&name));
        }
    }

    /// The hint for an unknown property. Reporting the property that was probably meant as missing would be a second error
    /// for one mistake; without a suggestion, any of them may be meant.
    fn explain_unknown(
        &mut self,
        what: &str,
        name: &str,
        value: &Value,
        all: &[&'static PropertySchema],
    ) -> String {
        let foreign = foreign_property(what, name, value);
        let argument = foreign_argument(name);
        let settable = all.iter().filter(|p| p.role.is_settable()).map(|p| p.name).chain(META_ARGUMENTS);
        let known = || all.iter().find(|p| p.also.contains(&name)).map(|p| p.name);
        let near = || argument.is_none().then(|| closest(name, settable)).flatten();
        let meant = if foreign.is_none() { known().or_else(near) } else { None };
        let is_meant = |property: &str| meant.is_none_or(|meant| meant == property);
        self.meant.extend(all.iter().map(|property| property.name).filter(|name| is_meant(name)));
        self.problems.retain(|p| p.sort != ProblemKind::Missing || !is_meant(&p.property));
        if let Some(near) = meant {
            return format!("did you mean `{near}`?");
        }
        let hint = foreign.or_else(|| foreign_existence(name)).or(argument);
        hint.map_or_else(|| format!("`uphold explain {what}` lists its properties"), str::to_owned)
    }

    /// Checks the rules over several properties, then those of embedded structs.
    fn check_groups(&mut self, schema: &Schema) {
        schema.groups.iter().for_each(|group| self.check_group(group));
        for embedded in schema.properties.iter().filter_map(|property| property.flatten) {
            self.check_groups(embedded);
        }
    }

    fn check_group(&mut self, group: &Group) {
        let set = || group.properties.iter().copied().filter(|property| self.set.contains(property));
        let count = set().count();
        let is_meant = group.properties.iter().any(|p| self.meant.contains(p));
        let broken = match group.rule {
            GroupRule::Exclusive => count > 1,
            _ if is_meant => false,
            GroupRule::AnyOf => count == 0 && self.converges(),
            GroupRule::Together => count > 0 && count < group.properties.len(),
            GroupRule::Requires => set().eq(group.properties.iter().copied().take(1)) && self.converges(),
        };
        if broken {
            let problem = group_problem(group, &set().collect::<Vec<_>>());
            self.problems.push(problem);
        }
    }
}

/// Whether it is a part of the identity that must be given.
fn is_identity(schema: &PropertySchema) -> bool {
    schema.role == Role::Identity && schema.default.is_none()
}
