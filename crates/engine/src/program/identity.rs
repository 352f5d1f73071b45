//! The names of resources on the machine, for users: a path, if the label is not the path.

use uphold_model::{
    Diagnostic, Name, PropertySchema, Reference, ResourceId, Role, Schema, Scope, Type, Value,
};
use uphold_resource::{Context, Fields, Instance};

use crate::program::Program;
use crate::program::set::Declared;

/// The number of references that are followed: `path = "${directory.a.path}/b"` is one.
const DEEPEST: usize = 8;

impl Program {
    /// The [identity] of a resource; none if it is secret, or known only during the run.
    pub fn identity(&self, resource: &ResourceId) -> Option<String> {
        let declared = self.set.entry(self.set.find(resource)?);
        if declared.declaration.meta.sensitive {
            return None;
        }
        let scope = IdentityScope { program: self, depth: 0 };
        let schema = self.registry.get(&resource.kind)?.schema();
        let attributes = declared.declaration.attributes.iter();
        let identifying = attributes.filter(|one| schema.property(&one.name).is_some_and(is_identifying));
        let values =
            identifying.filter_map(|one| Some((one.name.clone(), one.evaluate(&scope).ok().flatten()?)));
        identity(resource, schema, values)
    }
}

impl Program {
    /// Calls `visit` with each declared resource that is decoded. A resource that reads others is left out; one with several actions
    /// is passed several times.
    pub fn for_each_decoded(&self, mut visit: impl FnMut(&Declared, &dyn Instance)) {
        let declared = self.list.all().iter().zip(&self.nodes);
        for (entry, node) in declared.filter(|(entry, _)| (entry.resource as usize) < self.declared) {
            if let Some(instance) = node.instance.as_deref() {
                visit(self.set.entry(entry.resource), instance);
            }
        }
    }

    /// The declared resources that are not decoded before the run, because they read others or have no action: decoded
    /// without the values that depend on the machine. None if the identity is one of these.
    pub fn deferred(&self) -> Vec<(&Declared, Option<Box<dyn Instance>>)> {
        let mut has_action = vec![false; self.set.len()];
        self.list.all().iter().for_each(|entry| has_action[entry.resource as usize] = true);
        let all = self.set.iter().take(self.declared);
        let deferred =
            all.filter(|(index, declared)| declared.reads_others() || !has_action[*index as usize]);
        deferred.map(|(_, declared)| (declared, self.decode_known(declared))).collect()
    }

    fn decode_known(&self, declared: &Declared) -> Option<Box<dyn Instance>> {
        let declaration = &declared.declaration;
        let kind = self.registry.get(&declaration.id.kind)?;
        let scope = IdentityScope { program: self, depth: 0 };
        let mut values = Vec::new();
        for attribute in &declaration.attributes {
            let value =
                attribute.evaluate(&scope).ok().flatten().filter(|value| value.first_unknown().is_none());
            match value {
                Some(value) => values.push((attribute.name.clone(), value)),
                None if kind.schema().property(&attribute.name).is_none_or(is_identifying) => return None,
                None => {}
            }
        }
        kind.decode(Fields::for_reading(declaration.id.label(), values, Context::NOTHING)).0
    }

    /// Passes a decoded resource to `read`. None if it reads others.
    pub fn with_decoded<T>(&self, resource: &ResourceId, read: impl FnOnce(&dyn Instance) -> T) -> Option<T> {
        let node = *self.nodes_of(self.set.find(resource)?).first()?;
        self.node(node).instance.as_deref().map(read)
    }
}

/// The name of a resource on the machine, if its address does not show it, such as the path of `file "site" {…}`.
pub fn identity(
    resource: &ResourceId,
    schema: &Schema,
    attributes: impl Iterator<Item = (Name, Value)>,
) -> Option<String> {
    /// Longer ones, such as keys, would hide the rest of the line. A path is shown whole.
    const LONGEST: usize = 80;
    let name = |name: &Name| schema.property(name).filter(|property| property.role == Role::Name);
    let (property, value) = attributes.into_iter().find_map(|(of, value)| Some((name(&of)?, value)))?;
    let Value::Text(text) = value else { return None };
    let is_path = matches!(property.ty, Type::Named { name: "path", .. });
    let is_shown = *text != **resource.label() && !text.is_empty() && (is_path || text.len() <= LONGEST);
    is_shown.then(|| text.to_string())
}

fn is_identifying(property: &PropertySchema) -> bool {
    matches!(property.role, Role::Name | Role::Identity)
}

/// The names and identities of other resources, as they are declared.
struct IdentityScope<'a> {
    program: &'a Program,
    depth: usize,
}

impl IdentityScope<'_> {
    /// The value of an identifying property, as declared.
    fn value(&self, declared: &Declared, property: &PropertySchema) -> Option<Value> {
        let attributes = &declared.declaration.attributes;
        match attributes.iter().find(|attribute| *attribute.name == *property.name) {
            Some(attribute) => attribute.evaluate(self).ok()?,
            None => (property.role == Role::Name).then(|| Value::text(&**declared.declaration.id.label())),
        }
    }

    fn referred(&self, reference: &Reference) -> Option<Value> {
        let [field] = &reference.path[..] else { return None };
        let set = &self.program.set;
        let declared = set.entry(set.find(&reference.target)?);
        let kind = self.program.registry.get(&reference.target.kind)?;
        let property = kind.schema().property(field).filter(|property| is_identifying(property))?;
        let decoded =
            self.program.with_decoded(&reference.target, |instance| instance.value(property.name, None));
        if let Some(value) = decoded.flatten() {
            return Some(value);
        }
        let deeper = IdentityScope { program: self.program, depth: self.depth + 1 };
        (self.depth < DEEPEST).then(|| deeper.value(declared, property))?
    }
}

impl Scope for IdentityScope<'_> {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        Ok(self.referred(reference).unwrap_or_else(|| Value::unknown(reference.to_string())))
    }
}
