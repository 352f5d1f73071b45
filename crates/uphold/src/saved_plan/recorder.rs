//! Keeping what a plan tells.

use std::collections::HashMap;
use std::path::PathBuf;

use uphold_engine::{Cause, Event, EventKind, NodeIndex, Program, Verdict};
use uphold_model::{Action, Attribute, Name, PropertySchema, ResourceId, Schema, Term, Type, Value};
use uphold_resource::{Kind, SourceFile};
use uphold_wire::saved_plan::Outcome;

use super::approval::PlanApproval;
use super::origin::Origin;
use super::outcome;
use super::plan::SavedPlan;
use super::record::{PlannedAction, Record};
use super::salt::Salt;
use super::setting;
use crate::checked::Checked;

/// Listens to a plan, so that it can be saved, or be kept to.
///
/// Everything that the events carry is kept, apart from secrets: of those there are digests.
pub struct PlanRecorder<'a> {
    program: &'a Program,
    salt: Salt,
    records: Vec<Record>,
    /// The places in the list of each written action, those already told left out; in reverse.
    nodes: HashMap<(ResourceId, Action), Vec<NodeIndex>>,
    /// Whether everything that a plan must tell was told.
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

    /// Something happened. `written_at` tells where a resource was written; it is asked once for each action.
    pub fn event(&mut self, event: &Event, written_at: impl FnOnce(&ResourceId) -> Option<String>) {
        match &event.kind {
            EventKind::Message { resource, level, text } => self.records.push(Record::Message {
                resource: resource.clone(),
                level: *level,
                text: text.clone(),
            }),
            EventKind::Finished { resource, action, cause, verdict, .. } => {
                let written_at = written_at(resource);
                self.finished(resource, action, cause, verdict, written_at);
            }
            EventKind::Output { name, value: Ok(value) } => {
                self.records.push(Record::Output { name: name.clone(), value: blank(value) });
            }
            EventKind::Output { value: Err(_), .. } => self.complete = false,
            _ => {}
        }
    }

    /// The plan, to be saved; none if something failed or was skipped, so that it is no plan of the whole.
    /// `root` is the directory that stands for the machine, if one does.
    pub fn finish(self, origin: &Origin, root: Option<PathBuf>) -> Option<SavedPlan> {
        self.complete.then(|| SavedPlan::new(origin, root, self.records, self.salt))
    }

    /// Keeps a run to what was told, without a file in between.
    pub fn approval(&self) -> PlanApproval<'_> {
        PlanApproval::new(&self.records, &self.salt)
    }

    fn finished(
        &mut self,
        resource: &ResourceId,
        action: &Action,
        cause: &Cause,
        verdict: &Verdict,
        written_at: Option<String>,
    ) {
        let Some(outcome) = outcome::of(verdict, resource, &self.salt) else {
            self.complete = false;
            return;
        };
        // Actions on one resource are done in written order, so that the first told is the first written.
        let node = match cause {
            Cause::Written => self.nodes.get_mut(&(resource.clone(), action.clone())).and_then(Vec::pop),
            Cause::Notified { .. } | Cause::Woken(_) => None,
        };
        self.records.push(Record::Action(Box::new(PlannedAction {
            attributes: self.attributes(resource, &outcome),
            resource: resource.clone(),
            action: action.clone(),
            cause: cause.clone(),
            written_at,
            node,
            outcome,
        })));
    }

    /// What was set, for those who judge plans. What differs is told by the difference.
    fn attributes(&self, resource: &ResourceId, outcome: &Outcome) -> Vec<(Name, Value)> {
        let set = self.program.set();
        let Some(declared) = set.find(resource).map(|index| &set.entry(index).declaration) else {
            return Vec::new();
        };
        let schema = self.program.kinds().get(&resource.kind).map(Kind::schema);
        let differs = |name: &Name| match outcome {
            Outcome::WouldChange { change } => change.differences.iter().any(|one| *one.property == **name),
            _ => false,
        };
        let told = declared.attributes.iter().filter(|attribute| !differs(&attribute.name));
        told.map(|attribute| {
            let value = computed(attribute, schema, outcome).unwrap_or_else(|| known(attribute));
            let hidden = declared.meta.sensitive || is_secret(&attribute.name, schema);
            let value = if hidden { value.sensitive() } else { value };
            (attribute.name.clone(), blank(&value))
        })
        .collect()
    }
}

/// The value of an attribute that reads another resource, if it was known when the plan was made.
fn computed(attribute: &Attribute, schema: Option<&Schema>, outcome: &Outcome) -> Option<Value> {
    let settings = match outcome {
        Outcome::WouldChange { change } | Outcome::Differs { change } => &change.settings,
        Outcome::MayChange { settings, .. } => settings,
        _ => return None,
    };
    let is_it =
        |one: &PropertySchema| *one.name == *attribute.name || one.aliases.contains(&&*attribute.name);
    let property = schema?.all().into_iter().find(|one| is_it(one))?.name;
    matches!(attribute.value, Term::Deferred(_)).then(|| setting::value(settings, property)).flatten()
}

/// The same value without its secrets.
fn blank(value: &Value) -> Value {
    Value::from(&uphold_wire::Value::from(value))
}

/// The value of an attribute, if it needs no other resource.
fn known(attribute: &Attribute) -> Value {
    match &attribute.value {
        Term::Known(value) => SourceFile::written(value).unwrap_or_else(|| value.clone()),
        Term::Deferred(expression) => match expression.references().first() {
            Some(reference) => Value::unknown(reference.to_string()),
            None => Value::unknown(&*attribute.name),
        },
    }
}

/// Whether the kind hides a property, or does not know it.
fn is_secret(name: &str, schema: Option<&Schema>) -> bool {
    let Some(schema) = schema else { return true };
    let properties = schema.all();
    let mut named = properties.iter().filter(|one| one.name == name || one.aliases.contains(&name));
    named.next().is_none_or(|property| hides(property.ty))
}

/// Types are written by authors of kinds: none is deep.
fn hides(ty: &Type) -> bool {
    match ty {
        Type::Sensitive(_) => true,
        Type::List(inner) | Type::Map(inner) | Type::Nullable(inner) => hides(inner),
        Type::Struct(members) => members.iter().any(|member| hides(member.ty)),
        _ => false,
    }
}
