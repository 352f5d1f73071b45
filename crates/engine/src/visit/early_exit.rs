//! What stops a visit before its end, and what that comes to.

use std::time::Duration;

use uphold_model::{Action, Name};
use uphold_resource::{Error, ErrorKind};

use crate::event::{Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::visit::publish::said;
use crate::visit::{Outcome, VisitInputs, Visits};
use crate::visitor::Visitor;

/// What something waits for in a plan that is not ready: nothing but time.
const READY: &str = "itself to be ready";

/// What stops a visit before its end.
pub(crate) enum EarlyExit {
    Failed(Failure),
    /// Something is not known before the run.
    Waits(Name),
    NotYet {
        reason: String,
        after: Duration,
    },
    Skipped(Skip),
}

impl From<Error> for EarlyExit {
    fn from(error: Error) -> Self {
        match error.again_after() {
            Some(after) => EarlyExit::NotYet { reason: error.chain(), after },
            None => EarlyExit::Failed(Failure::from_error(&error)),
        }
    }
}

impl Visits<'_> {
    /// Whether what was found out is about the machine as it is, in a run that only plans.
    pub(crate) fn is_guessing(&self, visitor: &Visitor<'_>) -> bool {
        self.mode() == Mode::Plan && !self.request.audit && visitor.limits().has_probed()
    }

    /// What a command or a port told says little if something before will change, and so does any look at what was
    /// changed in a way that cannot be told.
    pub(crate) fn weigh(
        &self,
        node: NodeIndex,
        outcome: Outcome,
        before: &VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Outcome {
        let looked = matches!(
            outcome,
            Outcome::Intends
                | Outcome::Done(Verdict::Unchanged | Verdict::WouldChange(_) | Verdict::Differs(_))
        );
        let guessed = matches!(outcome, Outcome::Intends | Outcome::Done(_)) && self.is_guessing(visitor);
        let changes = before.changes.as_ref().filter(|_| guessed);
        let entry = self.program.list.get(node as usize);
        let is_gone =
            matches!(outcome, Outcome::Done(Verdict::Unchanged)) && *entry.action() == Action::Remove;
        // What is to be removed and is not there may come with something before it.
        let comes = before.unpredicted.as_ref().filter(|_| is_gone && self.mode() == Mode::Plan);
        match before.stale.as_ref().filter(|_| looked).or(changes).or(comes) {
            Some(waits_for) => Outcome::Done(self.wait(node, visitor, waits_for.clone(), None)),
            None => outcome,
        }
    }

    pub(crate) fn end_early(
        &self,
        node: NodeIndex,
        exit: EarlyExit,
        before: &VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Outcome {
        Outcome::Done(match exit {
            EarlyExit::Waits(waits_for) => self.wait(node, visitor, waits_for, None),
            EarlyExit::NotYet { reason, after } => {
                let reason = if visitor.is_secret() { ErrorKind::NotYet.words().to_owned() } else { reason };
                match self.mode() {
                    Mode::Plan => {
                        let now = Failure::new(ErrorKind::NotYet, reason);
                        self.wait(node, visitor, READY.into(), Some(Box::new(now)))
                    }
                    Mode::Apply => return Outcome::NotYet { reason, after },
                }
            }
            EarlyExit::Skipped(skip) => Verdict::Skipped(skip),
            EarlyExit::Failed(failure) => match self.may_succeed_later(&failure, before, visitor) {
                Some(waits_for) => {
                    self.wait(node, visitor, waits_for.clone(), Some(Box::new(visitor.guard(failure))))
                }
                None => {
                    self.published.fail(self.program.list.get(node as usize).resource);
                    Verdict::Failed(visitor.guard(failure))
                }
            },
        })
    }

    /// What waits is unknown to its readers, too, except for what is said about it.
    fn wait(
        &self,
        node: NodeIndex,
        visitor: &Visitor<'_>,
        waits_for: Name,
        because: Option<Box<Failure>>,
    ) -> Verdict {
        let slot = self.program.node(node);
        let decoded = slot.instance.lock();
        let said = decoded.as_deref().map(|instance| said(slot, instance, visitor)).unwrap_or_default();
        self.published.put(self.program.list.get(node as usize).resource, said);
        drop(decoded);
        let inputs = self.inputs_of_waiting(node, visitor, visitor.inputs());
        Verdict::MayChange { waits_for, because, inputs }
    }

    /// In a plan, what fails now may succeed once something before it was changed; but neither a
    /// value that breaks a rule nor a defect of the kind mends itself. Such a value is no matter, though, if a guard that
    /// let it through may then say otherwise.
    fn may_succeed_later<'b>(
        &self,
        failure: &Failure,
        before: &'b VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Option<&'b Name> {
        let changes = before.changes.as_ref().filter(|_| self.is_guessing(visitor));
        match failure.kind {
            _ if self.mode() != Mode::Plan => None,
            ErrorKind::Defect => None,
            ErrorKind::Invalid => changes,
            ErrorKind::Missing | ErrorKind::ParentMissing => {
                before.unpredicted.as_ref().or(changes).or(before.brought.as_ref())
            }
            _ => before.unpredicted.as_ref().or(changes),
        }
    }
}
