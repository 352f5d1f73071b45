//! One visit: what plan and apply do with one node. Both use the same code.

pub(crate) mod batch;
pub(crate) mod converge;
mod early_exit;
mod guards;
mod journal;
mod other_names;
pub(crate) mod overwritten;
pub(crate) mod parent_run;
pub(crate) mod staged_writes;
mod values;
mod verification;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, DifferenceCause, Mutex, Name, Severity};
use uphold_resource::{Act, Around, Desired, Error, ErrorKind, Instance, Level, Stop};

use super::pause::Pause;
use crate::event::{Change, Mode, Skip, Unwanted, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::journal::Journal;
use crate::program::Program;
use crate::program::condition::{Truth, evaluate_condition};
use crate::program::decode::Decoder;
use crate::program::real_names::RealNames;
use crate::program::scope::{Published, RunScope};
use crate::program::set::ResourceIndex;
use crate::request::Request;
use crate::visit::converge::Prepared;
use crate::visit::early_exit::EarlyExit;
use crate::visit::overwritten::Writes;
use crate::visit::parent_run::{NestedRequest, Notifier};
use crate::visit::verification::Recorded;
use crate::visitor::{OwnerRun, Visitor};
use crate::watch::{DeferredValues, Reports};
use crate::window::next_opening;
use early_exit::Decoded;

/// The parts that all visits of a run share.
pub(crate) struct Visits<'a> {
    pub(crate) program: &'a Program,
    /// In a plan, an overlay of the machine.
    pub(crate) host: Act<'a>,
    pub(crate) request: Request<'a>,
    pub(crate) stop: &'a Stop,
    pub(crate) published: Published,
    /// The result of the guards of each group, once for all its members: why they are skipped, if they are.
    pub(crate) admissions: Vec<OnceLock<Result<Option<Unwanted>, EarlyExit>>>,
    /// The nodes that have changed something, or are about to. Kept if the number of changes is limited.
    pub(crate) changes: Mutex<FxHashSet<NodeIndex>>,
    /// Reports of the machine, if it is watched.
    pub(crate) watch: Option<Watch<'a>>,
    /// The parent run, if this is a nested run.
    pub(crate) around: Option<&'a dyn Around>,
    /// The paths that were written, if the end of the run needs them.
    pub(crate) writes: Option<Writes>,
    /// None if nothing may be recorded.
    pub(crate) journal: Option<&'a dyn Journal>,
    /// The same journal, also for an audit.
    pub(crate) last_applied: Option<&'a dyn Journal>,
    /// The changes in verified groups, in order.
    pub(crate) recorded: Mutex<Vec<Recorded>>,
    /// The resource whose new content for a path was rejected.
    pub(crate) rejected: Mutex<FxHashMap<PathBuf, ResourceIndex>>,
    /// The real names of paths, unless this is a watch, in which links change.
    pub(crate) real_names: RealNames,
    /// The resource that was changed at each real name that it does not declare.
    pub(crate) linked: Mutex<FxHashMap<PathBuf, ResourceIndex>>,
    /// Members of groups whose changes were undone.
    pub(crate) undone: Mutex<FxHashSet<NodeIndex>>,
}

/// The parts of a watch that visits use.
pub(crate) struct Watch<'a> {
    pub(crate) reports: &'a Reports,
    pub(crate) deferred: &'a DeferredValues,
}

/// How far a visit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// To the end.
    Whole,
    /// Until it is clear that there is something to change: `before` notifications are delivered first.
    Look,
}

/// The result of a visit, with its messages.
pub(crate) struct Visited {
    pub(crate) outcome: Outcome,
    pub(crate) messages: Vec<(Level, String)>,
    pub(crate) passed_on: PassedOn,
    /// In a plan, notifications that its nested resources would send.
    pub(crate) requests: Vec<NestedRequest>,
    /// Whether it may have changed the machine: after a failure, in part.
    pub(crate) began: bool,
    /// The nodes whose changes were put back, because this verification failed.
    pub(crate) put_back: Vec<NodeIndex>,
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

/// How a visit ended.
pub(crate) enum Outcome {
    Done(Verdict),
    /// Something will be changed, after `before` notifications were delivered.
    Intends,
    /// It has to be visited again.
    NotYet {
        reason: String,
        after: Duration,
    },
    /// It would create a file that a package may install: it is visited again after the packages.
    AfterPackages,
    /// It is changed together with others.
    Prepared(Box<Prepared>),
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        Outcome::Done(verdict)
    }
}

/// The facts about earlier nodes that a visit needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisitInputs {
    /// In a plan, a dependency that would change.
    pub(crate) changes: Option<Name>,
    /// In a plan, a dependency that would change in a way that cannot be predicted.
    pub(crate) unpredicted: Option<Name>,
    /// In a plan, a package that would be installed, with any file or account that is missing.
    pub(crate) installer: Option<Name>,
    /// Packages are to be installed, and the visit can be postponed until they are.
    pub(crate) can_wait: bool,
    /// In a plan, a node that has changed the resource itself in a way that cannot be predicted.
    pub(crate) stale: Option<Name>,
    /// Whether a dependency has put a secret at a path, where this resource may read it.
    pub(crate) secret: bool,
    /// Why it is skipped, even if its own conditions are true.
    pub(crate) unwanted: Option<Unwanted>,
    /// The node on whose change it depends whether it runs at all.
    pub(crate) depends: Option<Name>,
    /// Whether a notification asked for the visit.
    pub(crate) notified: bool,
}

impl<'a> Visits<'a> {
    pub(crate) fn new(program: &'a Program, host: Act<'a>, request: Request<'a>, stop: &'a Stop) -> Self {
        let admissions = (0..program.list.groups.len()).map(|_| OnceLock::new()).collect();
        Self {
            program,
            host,
            request,
            stop,
            published: Published::default(),
            admissions,
            changes: Mutex::default(),
            watch: None,
            around: None,
            writes: None,
            journal: None,
            last_applied: None,
            recorded: Mutex::default(),
            rejected: Mutex::default(),
            real_names: RealNames::default(),
            linked: Mutex::default(),
            undone: Mutex::default(),
        }
    }

    /// Visits a node.
    ///
    /// # Flow
    /// Check whether it is skipped, wait until it is ready, evaluate deferred values, validate, load, compare; when applying:
    /// apply, load again, compare again; publish the values that others read.
    ///
    /// # Guarantees
    /// In plan mode nothing is written but to an overlay. A panic of a kind is a failure of this visit. If a dependency will
    /// change in a way that cannot be predicted, a failure in a plan may be a success in the run.
    pub(crate) fn visit(
        &self,
        node: NodeIndex,
        phase: Phase,
        before: &VisitInputs,
        notifier: &dyn Notifier,
    ) -> Visited {
        let visitor = Visitor::new(self, node, before).notifying(notifier);
        let outcome = match EarlyExit::catch(|| visitor.run(phase)) {
            Ok(outcome) => visitor.mark_if_uncertain(outcome),
            // Errors of formats and decoders hide why a file could not be read.
            Err(EarlyExit::Failed(_)) if visitor.limits.has_expired() => {
                visitor.end_early(EarlyExit::Failed(Failure::timed_out()))
            }
            Err(exit) => visitor.end_early(exit),
        };
        // The result of a command that was ended with the run does not count.
        let is_interrupted = visitor.limits.was_interrupted();
        let outcome = if is_interrupted { Verdict::Skipped(Skip::Stopped).into() } else { outcome };
        visitor.into_visited(outcome)
    }

    /// The scope of expressions during the run.
    pub(crate) fn scope(&self) -> RunScope<'_> {
        let is_final = self.mode() == Mode::Apply;
        RunScope { program: self.program, published: &self.published, is_final }
    }

    pub(crate) fn decoder(&self) -> Decoder<'_> {
        let Program { set, list, registry, .. } = self.program;
        Decoder { set, list, registry, observe: &self.host }
    }

    /// The exit for a value that is not known: a plan waits for it, in a run that is an error.
    pub(crate) fn unknown(&self, waits_for: Name) -> EarlyExit {
        match self.mode() {
            Mode::Plan => EarlyExit::Waits(waits_for),
            Mode::Apply => {
                let message = format!("{waits_for} is not known, although everything before is done");
                let hint = "what it reads was only audited, is paused, failed and was ignored, or comes later; \
                            give it a value of its own: try(…, …)";
                EarlyExit::from(Error::new(ErrorKind::Invalid, message).hint(hint))
            }
        }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.request.mode
    }

    /// Counts a change, if their number is limited. A repeated visit counts once, and a notified action not at all: it
    /// belongs to the change of its notifier.
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

impl Visitor<'_> {
    fn run(&self, phase: Phase) -> Result<Outcome, EarlyExit> {
        let (node, entry, slot) = (self.node, self.entry(), self.slot());
        if let Some(unwanted) = self.is_skipped()? {
            // A skipped resource has no values, and no paths.
            self.program.managed.leave_out(node);
            if !slot.read_by_others.is_empty() {
                self.visits.published.leave_out(entry.resource, unwanted.reason());
            }
            return Ok(Verdict::NotWanted(unwanted).into());
        }
        let decoded = self.decoded()?;
        let (instance, kept) = (&*decoded, matches!(decoded, Decoded::Before(_)));
        self.mark_secrets_of(instance);
        if let Some(watch) = &self.visits.watch {
            if !kept && watch.deferred.note(node, instance) {
                return Ok(Verdict::Unchanged.into());
            }
            watch.reports.begin_load(node, instance, &self.act(), kept);
        }
        let mut result = match entry.action() {
            Action::Converge => self.converge(instance, Desired::Present, phase),
            Action::Remove => self.converge(instance, Desired::Absent, phase),
            Action::Verb(verb) => self.run_verb(instance, verb, phase),
        };
        if let (Some(group), Phase::Whole) = (self.program.notifications.verified_by(node), phase) {
            result = self.verified(group, result);
        }
        if let (Ok(Outcome::Prepared(prepared)), Decoded::Now(instance)) = (&mut result, decoded) {
            prepared.decoded = Some(instance);
        }
        result
    }

    /// Checks the conditions, waits until the resource is ready, and checks the guards: why it is skipped, if it is.
    pub(crate) fn is_skipped(&self) -> Result<Option<Unwanted>, EarlyExit> {
        if let Some(unwanted) = &self.before.unwanted {
            return Ok(Some(unwanted.clone()));
        }
        if let Some(waits_for) = &self.before.depends {
            return Err(EarlyExit::Waits(waits_for.clone()));
        }
        if !self.is_wanted()? {
            return Ok(Some(Unwanted::When));
        }
        let handling = self.program.handling(self.node);
        if let Some(wait) = handling.and_then(|handling| handling.not_until.as_ref())
            && let Some(reason) = self.not_ready(&wait.guard)?
        {
            return Err(EarlyExit::NotYet { reason, after: wait.every });
        }
        self.check_guards(handling.map_or(&[][..], |handling| &handling.guards))
    }

    /// Evaluates the conditions of the resource and of the action.
    fn is_wanted(&self) -> Result<bool, EarlyExit> {
        let (entry, declaration) = (self.entry(), &self.program.declared(self.node).declaration);
        let of_resource = declaration.meta.when.as_deref().map(|when| (when, declaration.place));
        let of_action = entry.when().map(|when| (when, entry.place));
        for (when, place) in of_resource.into_iter().chain(of_action) {
            match evaluate_condition(when, &self.visits.scope(), place) {
                Ok(Truth::True) => {}
                Ok(Truth::False) => return Ok(false),
                Ok(Truth::Unknown(waits_for)) => return Err(self.visits.unknown(waits_for)),
                Err(refused) => return Err(EarlyExit::Failed(Failure::from_diagnostic(&refused, place))),
            }
        }
        Ok(true)
    }

    /// Decodes a resource that reads others, now that they were visited.
    pub(crate) fn decode(&self) -> Result<Box<dyn Instance>, EarlyExit> {
        let visits = self.visits;
        let outcome = visits.decoder().decode(self.entry(), &visits.scope());
        if let Some(diagnostic) = outcome.diagnostics.iter().find(|d| d.severity() == Severity::Error) {
            let mut failure = Failure::from_diagnostic(diagnostic, None);
            let address = format!("{}: ", self.program.id(self.node));
            failure.message = failure.message.strip_prefix(&address).unwrap_or(&failure.message).to_owned();
            return Err(EarlyExit::Failed(failure));
        }
        let waits_for = if visits.mode() == Mode::Apply { outcome.unknown } else { outcome.waits_for };
        match (outcome.instance, waits_for) {
            (Some(instance), None) => {
                // Paths that the machine cannot name stay unknown: nothing is purged.
                let run = OwnerRun(self);
                let host = visits.host.with_run(&run);
                _ = self.program.managed.learn(self.node, &*instance, &host);
                Ok(instance)
            }
            (_, waits_for) => Err(visits.unknown(waits_for.unwrap_or_else(|| "a value".into()))),
        }
    }

    /// Whether the resource is only audited.
    pub(crate) fn is_audited(&self) -> bool {
        let entry = self.entry();
        self.visits.request.audit
            || self.program.is_handled(entry.resource, entry.group, |handling| handling.audit)
    }

    /// Why a change is not made now: the resource is paused, or the maintenance window is closed. The verification of a
    /// group is never left: its members changed.
    pub(crate) fn pause(&self, change: &Change) -> Option<Pause> {
        if self.program.notifications.verified_by(self.node).is_some() {
            return None;
        }
        let now = self.act().clock().now();
        let by_user = self.visits.request.pauses.and_then(|pauses| pauses.of(self.program.id(self.node)));
        by_user.filter(|pause| pause.until > now).or_else(|| self.closed_window(change, now))
    }

    /// A watch leaves everything until the window opens, except handlers of changes that were made. Otherwise a person
    /// started the run to make the changes of the configuration: only drift is left.
    fn closed_window(&self, change: &Change, now: SystemTime) -> Option<Pause> {
        let (zone, window) = (self.visits.request.window_zone?, self.program.settings().window.as_ref()?);
        let is_left = match self.watching {
            Some(_) => !self.before.notified,
            None => change.causes.whole == DifferenceCause::Drift,
        };
        if !is_left || self.program.declared(self.node).declaration.meta.always {
            return None;
        }
        next_opening(window, now, zone).map(Pause::outside_window)
    }
}
