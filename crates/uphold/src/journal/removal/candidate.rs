//! A resource that is no longer declared, and may be removed or reverted.

use uphold_engine::Program;
use uphold_journal::AppliedResource;
use uphold_model::{
    Action, Attribute, Declaration, Handling, Meta, Moment, Notification, Reference, ResourceId, Role,
    Statement, ThinVec, Trigger, Value,
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
    /// The notifications that were declared when it was applied, and whose targets are still declared. A target that does
    /// not know the action any more cannot run it.
    fn notifications(&self, program: &Program) -> Vec<Notification> {
        let recorded = self.record.notifies.iter().filter_map(|sent| {
            let target: ResourceId = sent.target.parse().ok()?;
            program.set().find(&target)?;
            let action = Action::named(&sent.action)?;
            let schema = program.kinds().get(&target.kind)?.schema();
            let is_known = match &action {
                Action::Converge => true,
                Action::Remove => schema.removable,
                Action::Verb(verb) => schema.verbs.iter().any(|known| *known.name == **verb),
            };
            let other = Reference { target, path: Vec::new(), place: None };
            is_known.then_some(Notification { other, action, moment: Moment::named(&sent.moment)? })
        });
        recorded.collect()
    }

    /// The statements that remove or revert it, after its dependents.
    pub(super) fn into_statements(
        self,
        id: &ResourceId,
        depends_on: Vec<ResourceId>,
        program: &Program,
    ) -> Vec<Statement> {
        let notifies = self.notifications(program);
        let handling = (!notifies.is_empty()).then(|| Box::new(Handling { notifies, ..Handling::default() }));
        let reference = |target| Reference { target, path: Vec::new(), place: None };
        let depends_on: ThinVec<Reference> = depends_on.into_iter().map(reference).collect();
        if let Some(mut reverting) = self.reverting {
            for statement in &mut reverting {
                match statement {
                    Statement::Trigger(trigger) => trigger.depends_on = depends_on.clone(),
                    Statement::Declare(declaration) => declaration.meta.handling = handling.clone(),
                    _ => {}
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
        let meta = Meta { handling, ..Meta::default() };
        let declaration = Declaration { id: id.clone(), place: None, attributes: attributes.into(), meta };
        let trigger = Trigger { id: id.clone(), action: Action::Remove, place: None, depends_on, when: None };
        vec![Statement::Declare(declaration), Statement::Trigger(trigger)]
    }
}
