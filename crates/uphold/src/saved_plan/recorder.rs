//! Records the events of a plan.

use std::collections::HashMap;
use std::path::PathBuf;

use uphold_engine::{Cause, Event, EventKind, NodeIndex, Program, Verdict};
use uphold_model::{Action, Attribute, Name, PropertySchema, ResourceId, Schema, Term, Type, Value};
use uphold_resource::{Kind, SourceFile};
use uphold_wire::SavedValue;
use uphold_wire::saved_plan::{Action as PlannedAction, Attribute as SavedAttribute, Outcome, Record};

use super::approval::PlanApproval;
use super::change::setting_value;
use super::origin::Origin;
use super::plan::SavedPlan;
use super::record::{outcome_of, saved_level};
use super::salt::Salt;
use crate::configuration::Checked;

/// Records a plan, to save it or to limit a run to it.
///
/// It keeps everything in the events; of secrets, digests.
pub struct PlanRecorder<'a> {
    program: &'a Program,
    salt: Salt,
    records: Vec<Record>,
    /// The positions of each declared action that was not visited yet, in reverse.
    nodes: HashMap<(ResourceId, Action), Vec<NodeIndex>>,
    /// Whether the plan is complete: nothing failed or was skipped.
    complete: bool,
}

impl<'a> PlanRecorder<'a> {
    /// Records a plan of this configuration.
    pub fn new(checked: &'a Checked) -> Self {
        let program = checked.program();
        let mut nodes: HashMap<(ResourceId, Action), Vec<NodeIndex>> = HashMap::new();
        let numbered: Vec<_> = (0..).zip(program.list().iter()).collect();
        for (node, entry) in numbered.into_iter().rev() {
            let id = program.set().id(entry.resource).clone();
            nodes.entry((id, entry.action().clone())).or_default().push(node);
        }
        Self { program, salt: Salt::fresh(), records: Vec::new(), nodes, complete: true }
    }

    /// Records an event. `written_at` returns the location of a declaration; it is called once for each action.
    pub fn event(&mut self, event: &Event, written_at: impl FnOnce(&ResourceId) -> Option<String>) {
        match &event.kind {
            EventKind::Message { resource, level, text } => self.records.push(Record::Message {
                level: saved_level(*level),
                resource: resource.clone(),
                text: text.clone(),
            }),
            EventKind::Finished { resource, action, cause, verdict, .. } => {
                let written_at = written_at(resource);
                self.finished(resource, action, cause, verdict, written_at);
            }
            EventKind::Output { name, value: Ok(value) } => {
                self.records.push(Record::Output { name: name.to_string(), value: SavedValue(value.into()) });
            }
            EventKind::Output { value: Err(_), .. } => self.complete = false,
            _ => {}
        }
    }

    /// The plan to save; none if something failed or was skipped. `root` is the `--root` directory, if there is one.
    pub fn finish(self, origin: &Origin, root: Option<PathBuf>) -> Option<SavedPlan> {
        self.complete.then(|| SavedPlan::new(origin, root, self.records, self.salt))
    }

    /// Limits a run to the recorded plan, without a file.
    pub fn approval(&self) -> PlanApproval<'_> {
        PlanApproval::new(&self.records, &self.salt, |_| false)
    }

    fn finished(
        &mut self,
        resource: &ResourceId,
        action: &Action,
        cause: &Cause,
        verdict: &Verdict,
        written_at: Option<String>,
    ) {
        let Some(outcome) = outcome_of(verdict, resource, &self.salt) else {
            self.complete = false;
            return;
        };
        let node = match cause {
            // Actions on one resource run in source order.
            Cause::Written => self.nodes.get_mut(&(resource.clone(), action.clone())).and_then(Vec::pop),
            _ => None,
        };
        let (notified_by, also_notified_by, more_notifiers, timing) = match cause {
            Cause::Notified { by, moment } => {
                let (first, others, more) = by.parts();
                (Some(first.clone()), others.to_vec(), more, Some(*moment))
            }
            _ => (None, Vec::new(), 0, None),
        };
        self.records.push(Record::Action(Box::new(PlannedAction {
            action: action.clone(),
            attributes: self.attributes(resource, &outcome),
            declared_at: written_at,
            node,
            notified_by,
            also_notified_by,
            more_notifiers,
            outcome,
            resource: resource.clone(),
            timing,
        })));
    }

    /// The attributes that are set, for policy tools; the differences have the others.
    fn attributes(&self, resource: &ResourceId, outcome: &Outcome) -> Vec<SavedAttribute> {
        let set = self.program.set();
        let Some(declared) = set.find(resource).map(|index| &set.entry(index).declaration) else {
            return Vec::new();
        };
        let schema = self.program.kinds().get(&resource.kind).map(Kind::schema);
        let differs = |name: &Name| match outcome {
            Outcome::WouldChange { change } => change.differences.iter().any(|one| *one.property == **name),
            _ => false,
        };
        let same = declared.attributes.iter().filter(|attribute| !differs(&attribute.name));
        same.map(|attribute| {
            let value = computed(attribute, schema, outcome).unwrap_or_else(|| known(attribute));
            let hidden = declared.meta.sensitive || is_secret(&attribute.name, schema);
            let value = if hidden { value.sensitive() } else { value };
            SavedAttribute { name: attribute.name.to_string(), value: SavedValue((&value).into()) }
        })
        .collect()
    }
}

/// The value of an attribute that refers to another resource, if the plan knew it.
fn computed(attribute: &Attribute, schema: Option<&Schema>, outcome: &Outcome) -> Option<Value> {
    let settings = match outcome {
        Outcome::WouldChange { change } | Outcome::Differs { change } | Outcome::Paused { change, .. } => {
            &change.settings
        }
        Outcome::MayChange { settings, .. } => settings,
        _ => return None,
    };
    let is_it =
        |one: &PropertySchema| *one.name == *attribute.name || one.aliases.contains(&&*attribute.name);
    let property = schema?.all().into_iter().find(|one| is_it(one))?.name;
    matches!(attribute.value, Term::Deferred(_)).then(|| setting_value(settings, property)).flatten()
}

/// The value of an attribute that refers to no other resource, else unknown.
fn known(attribute: &Attribute) -> Value {
    match &attribute.value {
        Term::Known(value) => SourceFile::written(value).unwrap_or_else(|| value.clone()),
        Term::Deferred(expression) => match expression.references().first() {
            Some(reference) => Value::unknown(reference.to_string()),
            None => Value::unknown(&*attribute.name),
        },
    }
}

/// Whether a property is sensitive, or unknown.
fn is_secret(name: &str, schema: Option<&Schema>) -> bool {
    let Some(schema) = schema else { return true };
    let properties = schema.all();
    let mut named = properties.iter().filter(|one| one.name == name || one.aliases.contains(&name));
    named.next().is_none_or(|property| hides(property.ty))
}

/// The authors of kinds write the types: none is deep.
fn hides(ty: &Type) -> bool {
    match ty {
        Type::Sensitive(_) => true,
        Type::List(inner) | Type::Map(inner) | Type::Nullable(inner) => hides(inner),
        Type::Struct(members) => members.iter().any(|member| hides(member.ty)),
        _ => false,
    }
}
