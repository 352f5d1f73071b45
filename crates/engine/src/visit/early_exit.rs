//! Early exits: how a visit ends before its resource is compared, and what a plan makes of its result.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use uphold_model::{Action, Name};
use uphold_resource::{Error, ErrorKind, Instance};

use crate::event::{Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::program::scope::Publication;
use crate::visit::Outcome;
use crate::visitor::Visitor;

/// What a resource that is not ready waits for in a plan: only time helps.
const READY: &str = "itself to be ready";

/// The reason why a visit ends early.
#[derive(Clone)]
pub(crate) enum EarlyExit {
    Failed(Failure),
    /// A value is not known before the run.
    Waits(Name),
    NotYet {
        reason: String,
        after: Duration,
    },
    Skipped(Skip),
}

impl EarlyExit {
    /// Runs code of a kind. A panic is a failure of the visit.
    pub(crate) fn catch<T>(work: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        let result = catch_unwind(AssertUnwindSafe(work));
        result.unwrap_or_else(|panic| Err(EarlyExit::Failed(Failure::panicked(&*panic))))
    }
}

impl From<Error> for EarlyExit {
    fn from(error: Error) -> Self {
        match error.retry_after() {
            Some(after) => EarlyExit::NotYet { reason: error.chain(), after },
            None => EarlyExit::Failed(Failure::from_error(&error)),
        }
    }
}

impl Visitor<'_> {
    /// Whether a plan used a command or a port of the real machine, which knows nothing of planned changes.
    pub(crate) fn is_guessing(&self) -> bool {
        self.visits.mode() == Mode::Plan && !self.visits.request.audit && self.limits.has_probed()
    }

    /// In a plan, a result that may be another one once the dependencies have changed is uncertain: if it came from a
    /// command or a port, or if the resource itself was changed in a way that cannot be predicted.
    pub(crate) fn mark_if_uncertain(&self, outcome: Outcome) -> Outcome {
        let is_loaded = matches!(
            outcome,
            Outcome::Intends
                | Outcome::Done(
                    Verdict::Unchanged | Verdict::WouldChange(_) | Verdict::Differs(_) | Verdict::Paused(..)
                )
        );
        let guessed = matches!(outcome, Outcome::Intends | Outcome::Done(_)) && self.is_guessing();
        let changes = self.before.changes.as_ref().filter(|_| guessed);
        let is_absent =
            matches!(outcome, Outcome::Done(Verdict::Unchanged)) && *self.entry().action() == Action::Remove;
        // A dependency may create the resource that is removed here, and does not exist yet.
        let is_planned = self.visits.mode() == Mode::Plan;
        let created = self.before.unpredicted.as_ref().filter(|_| is_absent && is_planned);
        match self.before.stale.as_ref().filter(|_| is_loaded).or(changes).or(created) {
            Some(waits_for) => Outcome::Done(self.wait(waits_for.clone(), None)),
            None => outcome,
        }
    }

    pub(crate) fn end_early(&self, exit: EarlyExit) -> Outcome {
        Outcome::Done(match exit {
            EarlyExit::Waits(waits_for) => self.wait(waits_for, None),
            EarlyExit::NotYet { reason, after } => {
                let reason = if self.is_secret() { ErrorKind::NotYet.words().to_owned() } else { reason };
                if self.visits.mode() == Mode::Apply {
                    return Outcome::NotYet { reason, after };
                }
                self.wait(READY.into(), Some(Box::new(Failure::new(ErrorKind::NotYet, reason))))
            }
            EarlyExit::Skipped(skip) => Verdict::Skipped(skip),
            EarlyExit::Failed(failure) => match self.may_succeed_later(&failure) {
                Some(waits_for) => self.wait(waits_for.clone(), Some(Box::new(self.hide_failure(failure)))),
                None => {
                    self.visits.published.fail(self.resource());
                    Verdict::Failed(self.hide_failure(failure))
                }
            },
        })
    }

    /// The verdict of a resource that waits. Others can read only its names and settings.
    fn wait(&self, waits_for: Name, because: Option<Box<Failure>>) -> Verdict {
        let decoded = self.slot().instance.as_deref();
        let fixed = decoded.map(|instance| self.fixed_values(instance)).unwrap_or_default();
        self.visits.published.put(self.resource(), Publication::Values(fixed));
        let recorded = self.inputs.lock().clone();
        Verdict::MayChange { waits_for, because, inputs: self.inputs_of_waiting(recorded) }
    }

    /// In a plan, the dependency after whose change a failed visit may succeed. Neither an invalid value nor a defect of the
    /// kind goes away by itself; but an invalid value does not matter if a guard that was guessed may then be false.
    fn may_succeed_later(&self, failure: &Failure) -> Option<&Name> {
        let before = self.before;
        let changes = before.changes.as_ref().filter(|_| self.is_guessing());
        match failure.kind {
            _ if self.visits.mode() != Mode::Plan => None,
            ErrorKind::Defect => None,
            ErrorKind::Invalid => changes,
            ErrorKind::Missing | ErrorKind::ParentMissing => {
                before.unpredicted.as_ref().or(changes).or(before.installer.as_ref())
            }
            _ => before.unpredicted.as_ref().or(changes),
        }
    }
}

// The declared resource of a visit.

/// A resource as declared. Visits never change it.
pub(crate) enum Decoded<'a> {
    /// Decoded before the run: all visits share it.
    Before(&'a dyn Instance),
    /// Decoded by this visit, because it reads other resources.
    Now(Box<dyn Instance>),
}

impl<'a> Deref for Decoded<'a> {
    type Target = dyn Instance + 'a;

    fn deref(&self) -> &(dyn Instance + 'a) {
        match self {
            Self::Before(instance) => *instance,
            Self::Now(instance) => &**instance,
        }
    }
}

impl<'a> Visitor<'a> {
    /// The resource of this visit.
    pub(crate) fn decoded(&self) -> Result<Decoded<'a>, EarlyExit> {
        match self.slot().instance.as_deref() {
            Some(instance) => Ok(Decoded::Before(instance)),
            None => self.decode().map(Decoded::Now),
        }
    }
}
