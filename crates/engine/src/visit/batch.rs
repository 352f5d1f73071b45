//! Batches: many resources of one kind are changed in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};

use uphold_resource::{Error, ErrorKind, Instance, Observation, Result};

use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::visit::converge::Prepared;
use crate::visit::early_exit::EarlyExit;
use crate::visit::parent_run::Notifier;
use crate::visit::{Outcome, VisitInputs, Visited, Visits};
use crate::visitor::Visitor;

/// One resource of a batch.
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
        for instance in parts.iter().filter_map(|part| part.prepared.instance.as_deref()) {
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
        let items: Vec<(&dyn Instance, &Observation)> = parts
            .iter()
            .filter_map(|part| Some((part.prepared.instance.as_deref()?, &part.prepared.seen)))
            .collect();
        for part in parts {
            let Prepared { instance, seen, change, .. } = &*part.prepared;
            if let Some(instance) = instance.as_deref() {
                self.begin_change(part.node, change, instance, Some(seen), visitor);
            }
        }
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
        let instance = part.prepared.instance.as_deref();
        let tainted =
            instance.is_some_and(|instance| instance.is_tainted() || visitor.reaches_secret(instance));
        tainted || self.program.declared(part.node).declaration.meta.sensitive
    }

    fn conclude_part(&self, part: Part, applied: Result<(), EarlyExit>) -> Visited {
        let Part { node, prepared, before } = part;
        let Prepared { mut instance, kept, seen, change, before: recorded } = *prepared;
        let visitor = Visitor::new(self, node, &before);
        if let Some(instance) = &instance {
            visitor.mark_secrets_of(&**instance);
        }
        let load = || match &mut instance {
            Some(instance) => {
                visitor.load_again(instance.as_mut(), seen.desired)?;
                visitor.record(&**instance, recorded);
                Ok(())
            }
            None => Ok(()),
        };
        let loaded = applied.and_then(|()| EarlyExit::catch(load));
        if let Some(instance) = instance.filter(|_| kept) {
            visitor.put_back(instance);
        }
        let outcome = match loaded {
            Ok(()) => Outcome::Done(change.applied()),
            Err(exit) => visitor.end_early(exit),
        };
        visitor.note_begun();
        visitor.into_visited(outcome)
    }
}

fn missing() -> Error {
    Error::new(ErrorKind::Defect, "the kind returned fewer results than it was given resources")
}
