//! One visit: what plan and apply do with one node. There is no second way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

use uphold_model::{Action, Claims, Map, Name, Role, Severity, Value};
use uphold_resource::{Desired, Error, ErrorKind, Host, Instance, Level, Observation, Registry};

use crate::condition::{Answer, ask};
use crate::decode::Decoder;
use crate::event::{Change, ChangeKind, Mode, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::list::ActionEntry;
use crate::program::{Node, Program};
use crate::scope::{Published, RunScope};
use crate::visitor::Visitor;

/// What all visits of a run share.
pub(crate) struct Visits<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registry: &'a Registry,
    pub(crate) host: &'a dyn Host,
    pub(crate) mode: Mode,
    pub(crate) published: Published,
}

/// How a visit went, and what was said on the way.
pub(crate) struct Visited {
    pub(crate) verdict: Verdict,
    pub(crate) messages: Vec<(Level, String)>,
    /// Whether it is sensitive, or was computed from a secret.
    pub(crate) secret: bool,
}

/// What came before a node, as far as its visit has to know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// Something that it stands on would change.
    pub(crate) changes: Option<Name>,
    /// Something at a path that it stands on holds a secret, which it may read.
    pub(crate) secret: bool,
}

/// What stops a visit before its end.
enum Stop {
    Failed(Failure),
    Waits(Name),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(Failure::from_error(&error))
    }
}

impl Visits<'_> {
    /// Visits a node.
    ///
    /// # Flow
    /// Ask whether it is wanted, evaluate what was deferred, validate, load, compare; when acting: apply, load again,
    /// compare again; publish what others read.
    ///
    /// # Guarantees
    /// In plan mode nothing is written. A panic of a kind is a failure of this visit. If
    /// something before it will change, what fails in a plan may yet succeed.
    pub(crate) fn visit(&self, node: NodeIndex, before: &Before) -> Visited {
        let entry = self.program.list.get(node as usize);
        let visitor = Visitor::new(self, node, before.secret);
        let run = || self.run(node, entry, &visitor);
        let result = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(Stop::Failed(Failure::panicked(&*panic))));
        let verdict = match (result, &before.changes) {
            (Ok(verdict), _) => verdict,
            (Err(Stop::Waits(waits_for)), _) => self.wait(entry, waits_for),
            (Err(Stop::Failed(failure)), Some(waits_for)) if self.may_mend(&failure) => {
                let because = Some(Box::new(visitor.guard(failure)));
                Verdict::MayChange { waits_for: waits_for.clone(), because }
            }
            (Err(Stop::Failed(failure)), _) => Verdict::Failed(visitor.guard(failure)),
        };
        Visited { verdict, secret: visitor.is_secret(), messages: visitor.into_messages() }
    }

    fn run(&self, node: NodeIndex, entry: &ActionEntry, visitor: &Visitor<'_>) -> Result<Verdict, Stop> {
        let slot = &self.program.nodes[node as usize];
        if !self.is_wanted(entry)? {
            self.leave_out(node, entry, slot);
            return Ok(Verdict::NotWanted);
        }
        let mut decoded = slot.instance.lock().unwrap_or_else(PoisonError::into_inner);
        let mut deferred = if decoded.is_none() { Some(self.decode(node, entry)?) } else { None };
        let instance = deferred.as_mut().or(decoded.as_mut()).expect("one of the two is there");
        if instance.is_tainted() {
            visitor.keep_secret();
        }
        match &entry.action {
            Action::Converge => self.converge(entry, slot, instance.as_mut(), Desired::Present, visitor),
            Action::Remove => self.converge(entry, slot, instance.as_mut(), Desired::Absent, visitor),
            Action::Verb(verb) => self.run_verb(entry, slot, instance.as_mut(), verb, visitor),
        }
    }

    /// Asks the conditions of the resource and of the action.
    fn is_wanted(&self, entry: &ActionEntry) -> Result<bool, Stop> {
        let declaration = &self.program.set.entry(entry.resource).declaration;
        let of_resource = declaration.meta.when.as_ref().map(|when| (when, declaration.place));
        let of_action = entry.when.as_deref().map(|when| (when, entry.place));
        for (when, place) in of_resource.into_iter().chain(of_action) {
            match ask(when, &self.scope(), place) {
                Ok(Answer::Yes) => {}
                Ok(Answer::No) => return Ok(false),
                Ok(Answer::Later(waits_for)) if self.mode == Mode::Plan => {
                    return Err(Stop::Waits(waits_for));
                }
                Ok(Answer::Later(waits_for)) => return Err(never_known(Some(waits_for))),
                Err(refused) => return Err(Stop::Failed(Failure::from_diagnostic(&refused, place))),
            }
        }
        Ok(true)
    }

    /// What is not wanted has no values, and no paths.
    fn leave_out(&self, node: NodeIndex, entry: &ActionEntry, slot: &Node) {
        self.program.managed().learn(node, &Claims::default());
        if !slot.read_by_others.is_empty() {
            self.published.leave_out(entry.resource);
        }
    }

    /// What expressions are looked up in now.
    pub(crate) fn scope(&self) -> RunScope<'_> {
        RunScope { set: &self.program.set, published: &self.published }
    }

    /// Decodes a resource that reads others, now that they are visited.
    fn decode(&self, node: NodeIndex, entry: &ActionEntry) -> Result<Box<dyn Instance>, Stop> {
        let program = self.program;
        let decoder =
            Decoder { set: &program.set, list: &program.list, registry: self.registry, observe: self.host };
        let outcome = decoder.decode(entry, &self.scope());
        if let Some(diagnostic) = outcome.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            let mut failure = Failure::from_diagnostic(diagnostic, None);
            let address = format!("{}: ", program.set.id(entry.resource));
            failure.message = failure.message.strip_prefix(&address).unwrap_or(&failure.message).to_owned();
            return Err(Stop::Failed(failure));
        }
        match (outcome.instance, self.mode) {
            (_, Mode::Apply) if outcome.unknown.is_some() => Err(never_known(outcome.unknown)),
            (_, Mode::Plan) if outcome.waits_for.is_some() => {
                Err(Stop::Waits(outcome.waits_for.unwrap_or_default()))
            }
            (Some(instance), _) => {
                program.managed().learn(node, &instance.claims());
                Ok(instance)
            }
            (None, _) => Err(never_known(outcome.unknown)),
        }
    }

    fn converge(
        &self,
        entry: &ActionEntry,
        node: &Node,
        instance: &mut dyn Instance,
        desired: Desired,
        host: &Visitor<'_>,
    ) -> Result<Verdict, Stop> {
        // What is to be removed needs no completed wish.
        if desired == Desired::Present {
            instance.prepare(host)?;
        }
        let seen = instance.observe(desired, host)?;
        if seen.converged {
            self.publish(entry, node, instance, host, Some(&seen), false);
            return Ok(Verdict::Unchanged);
        }
        let change = change(instance, &seen, host);
        if self.mode == Mode::Plan {
            self.publish(entry, node, instance, host, Some(&seen), true);
            return Ok(Verdict::WouldChange(change));
        }
        instance.apply(&seen, host)?;
        let after = instance.observe(desired, host)?;
        if !after.converged {
            return Err(Stop::Failed(Failure::still_different(&after)));
        }
        self.publish(entry, node, instance, host, Some(&after), false);
        Ok(Verdict::Changed(change))
    }

    fn run_verb(
        &self,
        entry: &ActionEntry,
        node: &Node,
        instance: &mut dyn Instance,
        verb: &str,
        host: &Visitor<'_>,
    ) -> Result<Verdict, Stop> {
        instance.prepare(host)?;
        let change = Change { kind: ChangeKind::Run, differences: Vec::new(), unknown: Vec::new() };
        if self.mode == Mode::Plan {
            self.publish(entry, node, instance, host, None, true);
            return Ok(Verdict::WouldChange(change));
        }
        instance.run_verb(verb, host)?;
        if !node.read_by_others.is_empty() {
            // A verb promises nothing about what a look finds; what it told is there in any case.
            let seen = instance.look(host).ok();
            self.publish(entry, node, instance, host, seen.as_ref(), false);
        }
        Ok(Verdict::Changed(change))
    }

    /// Publishes what others read. What will change is known after apply, except for what was
    /// asked for: that is how it will be.
    fn publish(
        &self,
        entry: &ActionEntry,
        node: &Node,
        instance: &dyn Instance,
        host: &Visitor<'_>,
        seen: Option<&Observation>,
        will_change: bool,
    ) {
        if node.read_by_others.is_empty() {
            return;
        }
        if entry.action == Action::Remove {
            let fixed = |property: &&Name| {
                let role = instance.schema().property(property).map(|schema| schema.role);
                matches!(role, Some(Role::Name | Role::Identity | Role::Setting))
            };
            let said = node.read_by_others.iter().filter(fixed);
            let said = said.filter_map(|property| Some((property.clone(), instance.value(property, None)?)));
            return self.published.remove(entry.resource, said.collect());
        }
        let id = self.program.set.id(entry.resource);
        let hide = host.hides_all();
        let value = |property: &Name| {
            let role = instance.schema().property(property).map(|schema| schema.role);
            let value = match (will_change, role) {
                (true, Some(Role::Export)) => None,
                (true, Some(role)) if role.is_state() => planned(property, instance, seen),
                (true, _) => instance.value(property, None),
                (false, _) => instance.value(property, seen),
            };
            let value = value.unwrap_or_else(|| Value::unknown(format!("{id}.{property}")));
            let computed = role == Some(Role::Export) && instance.is_tainted();
            (property.clone(), if hide || computed { value.sensitive() } else { value })
        };
        let values: Map = node.read_by_others.iter().map(value).collect();
        self.published.put(entry.resource, values);
    }

    /// What waits is unknown to its readers, too.
    fn wait(&self, entry: &ActionEntry, waits_for: Name) -> Verdict {
        self.published.put(entry.resource, Map::new());
        Verdict::MayChange { waits_for, because: None }
    }

    /// In a plan, what fails now may succeed once something before it was changed; but neither a
    /// value that breaks a rule nor a defect of the kind mends itself.
    fn may_mend(&self, failure: &Failure) -> bool {
        self.mode == Mode::Plan && !matches!(failure.kind, ErrorKind::Invalid | ErrorKind::Defect)
    }
}

fn change(instance: &dyn Instance, seen: &Observation, host: &Visitor<'_>) -> Change {
    let kind = match (seen.desired, seen.exists) {
        (Desired::Absent, _) => ChangeKind::Remove,
        // What cannot be removed cannot be made, either: it is done.
        (Desired::Present, false) if !instance.schema().removable => ChangeKind::Run,
        (Desired::Present, true) => ChangeKind::Update,
        (Desired::Present, false) => ChangeKind::Create,
    };
    let exports = instance.schema().all().into_iter().filter(|property| property.role == Role::Export);
    let unknown = match kind {
        ChangeKind::Create | ChangeKind::Run => exports.map(|property| property.name).collect(),
        _ => Vec::new(),
    };
    let hide = host.hides_all();
    let differences = seen.differences.iter().cloned().map(|d| if hide { d.sensitive() } else { d });
    Change { kind, differences: differences.collect(), unknown }
}

/// What a state property will be: its goal if it differs, else what is there.
fn planned(property: &Name, instance: &dyn Instance, seen: Option<&Observation>) -> Option<Value> {
    let differs =
        seen.and_then(|seen| seen.differences.iter().find(|difference| difference.property == *property));
    match differs {
        Some(difference) => difference.to.value().cloned(),
        None => instance.value(property, seen),
    }
}

fn never_known(waits_for: Option<Name>) -> Stop {
    let waits_for = waits_for.unwrap_or_else(|| "a value".into());
    Stop::from(Error::failed(format!("{waits_for} is not known, although everything before is done")))
}
