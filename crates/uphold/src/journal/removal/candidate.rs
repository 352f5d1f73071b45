//! A resource that is no longer declared, and may be removed or reverted.

use uphold_journal::AppliedResource;
use uphold_model::{
    Action, Attribute, Declaration, Meta, Reference, ResourceId, Role, Statement, ThinVec, Trigger, Value,
};

use super::redeclared::Redeclared;

/// What happens to a resource that is no longer declared.
pub(super) enum Decision<'a> {
    Keep,
    /// It does not exist any more, or is not to be listed.
    Forget,
    Change(Candidate<'a>),
}

/// A resource that may be removed or reverted.
pub(super) struct Candidate<'a> {
    pub(super) record: &'a AppliedResource,
    pub(super) redeclared: Redeclared,
    pub(super) is_explicit: bool,
    pub(super) after: Option<ResourceId>,
    /// The statements that revert it; none if it is removed.
    pub(super) reverting: Option<Vec<Statement>>,
}

impl Candidate<'_> {
    /// The statements that remove or revert it, after its dependents.
    pub(super) fn into_statements(self, id: &ResourceId, depends_on: Vec<ResourceId>) -> Vec<Statement> {
        let reference = |target| Reference { target, path: Vec::new(), place: None };
        let depends_on: ThinVec<Reference> = depends_on.into_iter().map(reference).collect();
        if let Some(mut reverting) = self.reverting {
            for statement in &mut reverting {
                if let Statement::Trigger(trigger) = statement {
                    trigger.depends_on = depends_on.clone();
                }
            }
            return reverting;
        }
        let Redeclared { id: last, instance, mut attributes } = self.redeclared;
        let name = instance.schema().all().into_iter().find(|property| property.role == Role::Name);
        if let Some(name) = name
            .filter(|name| *last != **id && !attributes.iter().any(|attribute| *attribute.name == *name.name))
        {
            attributes.push(Attribute::known(name.name, Value::Text(last.label().clone())));
        }
        let declaration =
            Declaration { id: id.clone(), place: None, attributes: attributes.into(), meta: Meta::default() };
        let trigger = Trigger { id: id.clone(), action: Action::Remove, place: None, depends_on, when: None };
        vec![Statement::Declare(declaration), Statement::Trigger(trigger)]
    }
}
