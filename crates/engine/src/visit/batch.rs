//! Batches: many resources of one kind are changed in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};

use uphold_resource::{Error, ErrorKind, Instance, Observation, Result};

use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::visit::converge::Prepared;
use crate::visit::early_exit::EarlyExit;
use crate::visit::parent_run::Notifier;
use crate::visit::verification::BeforeChange;
use crate::visit::{Outcome, VisitInputs, Visited, Visits};
use crate::visitor::Visitor;

/// One resource that is changed together with others.
pub(crate) struct Part {
    pub(crate) node: NodeIndex,
    pub(crate) prepared: Box<Prepared>,
    pub(crate) before: VisitInputs,
}

impl Visits<'_> {
    /// Changes resources of one kind, and loads each again. A result for each, in order.
    pub(crate) fn visit_together(&self, parts: Vec<Part>, notifier: &dyn Notifier) -> Vec<Visited> {
        let Some(first) = parts.first() else { return Vec::new() };
        let secret = parts.iter().any(|part| part.before.secret);
        let before = VisitInputs { secret, ..VisitInputs::default() };
        let visitor = Visitor::new(self, first.node, &before).notifying(notifier);
        if parts.iter().any(|part| self.is_secret(part, &visitor)) {
            visitor.mark_secret();
        }
        for instance in parts.iter().filter_map(|part| self.instance(part)) {
            visitor.note_secrets_of(instance);
        }
        let mut results = self.apply_together(&parts, &visitor).into_iter();
        let conclude = |part| {
            let result = results.next().unwrap_or_else(|| Err(EarlyExit::from(missing())));
            self.conclude_part(part, result)
        };
        let mut visited: Vec<Visited> = parts.into_iter().map(conclude).collect();
        // Messages about the whole batch are reported with the first resource.
        if let Some(first) = visited.first_mut() {
            first.messages.splice(0..0, visitor.messages.into_inner());
        }
        visited
    }

    fn apply_together(&self, parts: &[Part], visitor: &Visitor<'_>) -> Vec<Result<(), EarlyExit>> {
        let Some(first) = parts.first() else { return Vec::new() };
        let items: Vec<(&dyn Instance, &Observation)> =
            parts.iter().filter_map(|part| Some((self.instance(part)?, &part.prepared.seen))).collect();
        for part in parts {
            let Prepared { seen, change, .. } = &*part.prepared;
            if let Some(instance) = self.instance(part) {
                self.begin_change(part.node, change, instance, Some(seen), visitor);
            }
        }
        self.store_begun();
        let kind = self.program.kind(first.node);
        let apply = || kind.and_then(|kind| kind.apply_together(&items, &visitor.act())).unwrap_or_default();
        match catch_unwind(AssertUnwindSafe(apply)) {
            Ok(results) => results.into_iter().map(|result| result.map_err(EarlyExit::from)).collect(),
            Err(panic) => {
                let failure = Failure::panicked(&*panic);
                parts.iter().map(|_| Err(EarlyExit::Failed(failure.clone()))).collect()
            }
        }
    }

    fn is_secret(&self, part: &Part, visitor: &Visitor<'_>) -> bool {
        let tainted = self
            .instance(part)
            .is_some_and(|instance| instance.is_tainted() || visitor.reaches_secret(instance));
        tainted || self.program.declared(part.node).declaration.meta.sensitive
    }

    /// The resource as declared.
    fn declared<'p>(&'p self, node: NodeIndex, prepared: &'p Prepared) -> Option<&'p dyn Instance> {
        prepared.decoded.as_deref().or_else(|| self.program.node(node).instance.as_deref())
    }

    /// The resource of the visit.
    pub(super) fn instance<'p>(&'p self, part: &'p Part) -> Option<&'p dyn Instance> {
        part.prepared.completed.as_deref().or_else(|| self.declared(part.node, &part.prepared))
    }

    fn conclude_part(&self, mut part: Part, applied: Result<(), EarlyExit>) -> Visited {
        let recorded = std::mem::take(&mut part.prepared.before);
        let visitor = Visitor::new(self, part.node, &part.before);
        if let Some(instance) = self.instance(&part) {
            visitor.mark_secrets_of(instance);
        }
        visitor.note_begun();
        let outcome = self.verify_part(&part, recorded, applied, &visitor);
        visitor.into_visited(outcome)
    }

    /// Loads a resource again after its change, which has this result.
    pub(super) fn verify_part(
        &self,
        part: &Part,
        recorded: BeforeChange,
        applied: Result<(), EarlyExit>,
        visitor: &Visitor<'_>,
    ) -> Outcome {
        let both = self.declared(part.node, &part.prepared).zip(self.instance(part));
        let load = || match both {
            Some((declared, instance)) => {
                visitor.load_again(declared, instance, part.prepared.seen.desired, &part.prepared.change)?;
                visitor.record(instance, recorded);
                Ok(())
            }
            None => Ok(()),
        };
        match applied.and_then(|()| EarlyExit::catch(load)) {
            Ok(()) => Outcome::Done(part.prepared.change.clone().applied()),
            Err(exit) => visitor.end_early(exit),
        }
    }
}

fn missing() -> Error {
    Error::new(ErrorKind::Defect, "the kind returned fewer results than it was given resources")
}
