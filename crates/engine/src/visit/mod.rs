//! One visit: what plan and apply do with one node. There is no second way.

mod await_packages;
pub(crate) mod batch;
mod converge;
mod early_exit;
mod guards;
pub(crate) mod overwritten;
pub(crate) mod parent_run;
pub(crate) mod plan_inputs;
mod publish;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_model::{Action, Name, Severity};
use uphold_resource::{Act, Around, Desired, Error, ErrorKind, Instance, Interest, Level, Registry, Stop};

use crate::event::{Mode, Skip, Unwanted, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lock::Lock;
use crate::program::condition::{Answer, ask};
use crate::program::decode::Decoder;
use crate::visit::early_exit::EarlyExit;
use crate::visit::guards::{Admission, Ready};

use crate::program::list::ActionEntry;
use crate::program::scope::{Published, RunScope};
use crate::program::{Node, Program};
use crate::request::Request;
use crate::visit::converge::{Prepared, Taken};
use crate::visit::overwritten::Writes;
use crate::visit::parent_run::{NestedRequest, Notifier};
use crate::visitor::{OwnerRun, Visitor};
use crate::watch::{DeferredValues, Reports, values};

/// What all visits of a run share.
pub(crate) struct Visits<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registry: &'a Registry,
    /// In a plan, an overlay of the machine.
    pub(crate) host: Act<'a>,
    pub(crate) request: Request<'a>,
    pub(crate) stop: &'a Stop,
    pub(crate) published: Published,
    /// What the guards of each group said.
    pub(crate) admissions: Vec<OnceLock<Admission>>,
    /// What was changed, or begun to be. Kept if there is a limit.
    pub(crate) changes: Lock<FxHashSet<NodeIndex>>,
    /// What is reported, if the machine is watched.
    pub(crate) watch: Option<Watch<'a>>,
    /// The run around, if this one is inside a visit.
    pub(crate) around: Option<&'a dyn Around>,
    /// The paths that are written, where the end of the run asks for them.
    pub(crate) writes: Option<Writes>,
}

/// What visits need if the machine is watched.
pub(crate) struct Watch<'a> {
    pub(crate) reports: &'a Reports,
    pub(crate) deferred: &'a DeferredValues,
}

/// How far a visit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// To the end.
    Whole,
    /// Until it is clear that there is something to change: somebody is told before.
    Look,
}

/// How a visit went, and what was said on the way.
pub(crate) struct Visited {
    pub(crate) outcome: Outcome,
    pub(crate) messages: Vec<(Level, String)>,
    pub(crate) passed_on: PassedOn,
    /// In a plan, notifications that its nested resources would send.
    pub(crate) requests: Vec<NestedRequest>,
}

/// Facts of a visit that matter to its dependents.
#[derive(Clone, Copy, Default)]
pub(crate) struct PassedOn {
    /// Whether it is sensitive, or was computed from a secret.
    pub(crate) secret: bool,
    /// In a plan, whether later loads see everything that it would change.
    pub(crate) predicted: bool,
    /// Whether a file could not be written.
    pub(crate) unwritten: bool,
}

/// What a visit came to.
pub(crate) enum Outcome {
    /// Its end.
    Done(Verdict),
    /// Something will be changed, and somebody is told before.
    Intends,
    /// It has to be visited again.
    NotYet { reason: String, after: Duration },
    /// It would create a file that a package may bring: it is visited again after the packages.
    AfterPackages,
    /// It will be changed together with others.
    Prepared(Box<Prepared>),
}

/// What came before a node, as far as its visit has to know.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisitInputs {
    /// Something that it stands on would change.
    pub(crate) changes: Option<Name>,
    /// Something that it stands on would change in a way that cannot be told.
    pub(crate) unpredicted: Option<Name>,
    /// This may bring along anything that is missing, and would change in a way that cannot be told.
    pub(crate) brought: Option<Name>,
    /// Packages are to be installed, and the visit can be postponed until they are.
    pub(crate) can_wait: bool,
    /// This has changed the resource itself in a way that cannot be told.
    pub(crate) stale: Option<Name>,
    /// Something at a path that it stands on holds a secret, which it may read.
    pub(crate) secret: bool,
    /// Why it is left alone, whatever it says itself.
    pub(crate) unwanted: Option<Unwanted>,
    /// Whether it is done at all depends on this.
    pub(crate) depends: Option<Name>,
}

impl<'a> Visits<'a> {
    pub(crate) fn new(program: &'a Program, host: Act<'a>, request: Request<'a>, stop: &'a Stop) -> Self {
        let admissions = (0..program.list.groups().len()).map(|_| OnceLock::new()).collect();
        let (published, changes) = (Published::default(), Lock::default());
        let registry = &program.registry;
        Self {
            program,
            registry,
            host,
            request,
            stop,
            published,
            admissions,
            changes,
            watch: None,
            around: None,
            writes: None,
        }
    }

    /// Visits a node.
    ///
    /// # Flow
    /// Ask whether it is wanted, wait until it is ready, evaluate what was deferred, validate, load, compare; when
    /// acting: apply, load again, compare again; publish what others read.
    ///
    /// # Guarantees
    /// In plan mode nothing is written but to an overlay. A panic of a kind is a failure of this visit. If something
    /// before it will change in a way that cannot be told, what fails in a plan may yet succeed.
    pub(crate) fn visit(
        &self,
        node: NodeIndex,
        phase: Phase,
        before: &VisitInputs,
        notifier: &dyn Notifier,
    ) -> Visited {
        let entry = self.program.list.get(node as usize);
        let visitor = Visitor::new(self, node, before.secret).notifying(notifier);
        visitor.expect_other_contents(before.unpredicted.as_ref());
        let run = || self.run(node, entry, phase, before, &visitor);
        let result = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(EarlyExit::Failed(Failure::panicked(&*panic))));
        let (outcome, predicted) = match result {
            Ok((outcome, predicted)) => (self.weigh(node, outcome, before, &visitor), predicted),
            Err(exit) => (self.end_early(node, exit, before, &visitor), false),
        };
        // What a command said that was ended with the run says nothing.
        let outcome = if visitor.limits().was_interrupted() {
            Outcome::Done(Verdict::Skipped(Skip::Stopped))
        } else {
            outcome
        };
        let (secret, unwritten) = (visitor.is_secret(), visitor.has_failed_to_write());
        let (messages, requests) = visitor.into_parts();
        Visited { outcome, messages, passed_on: PassedOn { secret, predicted, unwritten }, requests }
    }

    fn run(
        &self,
        node: NodeIndex,
        entry: &ActionEntry,
        phase: Phase,
        before: &VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Result<(Outcome, bool), EarlyExit> {
        let slot = self.program.node(node);
        if let Some(unwanted) = self.left_alone(entry, before, visitor)? {
            self.leave_out(node, entry, slot, &unwanted);
            return Ok((Outcome::Done(Verdict::NotWanted(unwanted)), false));
        }
        let decoded = slot.instance.lock().take();
        let kept = decoded.is_some();
        let mut instance = match decoded {
            Some(instance) => instance,
            None => self.decode(node, entry, visitor)?,
        };
        visitor.keep_secrets_of(&*instance);
        let mut declared = None;
        if let Some(watch) = &self.watch {
            if !kept && watch.deferred.note(node, &*instance) {
                return Ok((Outcome::Done(Verdict::Unchanged), true));
            }
            declared = (kept && !watch.reports.is_armed(node)).then(|| values(&*instance));
            watch.reports.begin_load(node, &*instance, &visitor.act(), kept);
        }
        let mut result = match entry.action() {
            Action::Converge => match self.await_packages(&*instance, before, &visitor.act()) {
                Some(waits) => waits,
                None => self.converge(node, instance.as_mut(), Desired::Present, phase, visitor),
            },
            Action::Remove => self.converge(node, instance.as_mut(), Desired::Absent, phase, visitor),
            Action::Verb(verb) => self.run_verb(node, instance.as_mut(), verb, phase, visitor),
        };
        if let (Some(watch), Some(declared)) = (&self.watch, declared) {
            watch.deferred.note_completed(node, declared, &*instance);
        }
        match &mut result {
            Ok(Taken { outcome: Outcome::Prepared(prepared), .. }) => {
                prepared.instance = Some(instance);
                prepared.kept = kept;
            }
            _ if kept => self.put_back(node, instance),
            _ => {}
        }
        result.map(|taken| (taken.outcome, taken.predicted))
    }

    /// Whatever was reported up to now is seen by the look that follows: what it was, if there was something.
    pub(crate) fn subsume(&self, node: NodeIndex) -> Option<Interest> {
        self.watch.as_ref().and_then(|watch| watch.reports.subsume(node))
    }

    /// What was decoded before the run is used by the next visit, too.
    pub(crate) fn put_back(&self, node: NodeIndex, instance: Box<dyn Instance>) {
        let slot = &self.program.node(node).instance;
        *slot.lock() = Some(instance);
    }

    /// Asks the conditions, waits, and asks the guards.
    pub(crate) fn left_alone(
        &self,
        entry: &ActionEntry,
        before: &VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Result<Option<Unwanted>, EarlyExit> {
        if let Some(unwanted) = &before.unwanted {
            return Ok(Some(unwanted.clone()));
        }
        if let Some(waits_for) = &before.depends {
            return Err(EarlyExit::Waits(waits_for.clone()));
        }
        if !self.is_wanted(entry)? {
            return Ok(Some(Unwanted::When));
        }
        let handling = self.program.set.entry(entry.resource).handling();
        if let Some(wait) = handling.and_then(|handling| handling.not_until.as_ref())
            && let Ready::No(command) = self.is_ready(&wait.guard, visitor)?
        {
            let what = command.map_or("its `not_until`".to_owned(), |command| format!("{command:?}"));
            let reason = format!("{what} does not hold");
            return Err(EarlyExit::NotYet { reason, after: wait.every });
        }
        let guards = handling.map_or(&[][..], |handling| &handling.guards);
        self.unwanted(entry.group, guards, before, visitor)
    }

    /// Asks the conditions of the resource and of the action.
    fn is_wanted(&self, entry: &ActionEntry) -> Result<bool, EarlyExit> {
        let declaration = &self.program.set.entry(entry.resource).declaration;
        let of_resource = declaration.meta.when.as_deref().map(|when| (when, declaration.place));
        let of_action = entry.when().map(|when| (when, entry.place));
        for (when, place) in of_resource.into_iter().chain(of_action) {
            match ask(when, &self.scope(), place) {
                Ok(Answer::Yes) => {}
                Ok(Answer::No) => return Ok(false),
                Ok(Answer::Later(waits_for)) => return Err(self.unknown(waits_for)),
                Err(refused) => return Err(EarlyExit::Failed(Failure::from_diagnostic(&refused, place))),
            }
        }
        Ok(true)
    }

    /// What is not wanted has no values, and no paths.
    fn leave_out(&self, node: NodeIndex, entry: &ActionEntry, slot: &Node, unwanted: &Unwanted) {
        self.program.managed().leave_out(node);
        if !slot.read_by_others.is_empty() {
            self.published.leave_out(entry.resource, unwanted.reason());
        }
    }

    /// What expressions are looked up in now.
    pub(crate) fn scope(&self) -> RunScope<'_> {
        let is_final = self.mode() == Mode::Apply;
        RunScope { program: self.program, published: &self.published, is_final }
    }

    pub(crate) fn decoder(&self) -> Decoder<'_> {
        let Program { set, list, .. } = self.program;
        Decoder { set, list, registry: self.registry, observe: &self.host }
    }

    /// Decodes a resource that reads others, now that they are visited.
    pub(crate) fn decode(
        &self,
        node: NodeIndex,
        entry: &ActionEntry,
        around: &dyn Around,
    ) -> Result<Box<dyn Instance>, EarlyExit> {
        let program = self.program;
        let outcome = self.decoder().decode(entry, &self.scope());
        if let Some(diagnostic) = outcome.diagnostics.iter().find(|d| d.severity() == Severity::Error) {
            let mut failure = Failure::from_diagnostic(diagnostic, None);
            let address = format!("{}: ", program.set.id(entry.resource));
            failure.message = failure.message.strip_prefix(&address).unwrap_or(&failure.message).to_owned();
            return Err(EarlyExit::Failed(failure));
        }
        let waits_for = if self.mode() == Mode::Apply { outcome.unknown } else { outcome.waits_for };
        match (outcome.instance, waits_for) {
            (Some(instance), None) => {
                // Paths that the machine cannot name stay unknown: nothing is purged.
                _ = program.managed().learn(node, &*instance, &self.host.with_run(&OwnerRun(around)));
                Ok(instance)
            }
            (_, waits_for) => Err(self.unknown(waits_for.unwrap_or_else(|| "a value".into()))),
        }
    }

    /// A value is not known: a plan says so, and a run should have known it.
    pub(crate) fn unknown(&self, waits_for: Name) -> EarlyExit {
        match self.mode() {
            Mode::Plan => EarlyExit::Waits(waits_for),
            Mode::Apply => {
                let message = format!("{waits_for} is not known, although everything before is done");
                let hint = "what it reads was only audited, failed and was ignored, or comes later; \
                            give it a value of its own: try(…, …)";
                EarlyExit::from(Error::new(ErrorKind::Invalid, message).hint(hint))
            }
        }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.request.mode
    }

    /// Whether the resource is only looked at.
    pub(crate) fn is_audited(&self, entry: &ActionEntry) -> bool {
        self.request.audit || self.program.is_handled(entry.resource, entry.group, |handling| handling.audit)
    }

    /// Takes one of the changes that may be made; what is tried again has its own. What is done because of a change goes
    /// with it.
    pub(crate) fn take_change(&self, node: NodeIndex) -> Result<(), EarlyExit> {
        let Some(most) = self.request.max_changes else { return Ok(()) };
        if self.program.list.is_on_request(node) {
            return Ok(());
        }
        let mut changes = self.changes.lock();
        if changes.len() >= most && !changes.contains(&node) {
            return Err(EarlyExit::Skipped(Skip::TooManyChanges));
        }
        changes.insert(node);
        Ok(())
    }
}
