//! The entries of a visit in the journal.

use uphold_model::{Action, Difference, DifferenceCauses, Moment, ResourceId, Side};
use uphold_resource::{Instance, Observation, RecordedState, Result};

use crate::event::{Change, Mode};
use crate::graph::NodeIndex;
use crate::journal::{BeginningChange, LoadedResource, VerifiedChange};
use crate::visit::Visits;
use crate::visitor::Visitor;

impl Visitor<'_> {
    /// Right before the first effect of a change: what has to be known if the run is killed from here on is durable when
    /// this returns.
    pub(super) fn begin_change(&self, change: &Change, instance: &dyn Instance, seen: Option<&Observation>) {
        self.note_begun();
        self.visits.begin_change(self.node, change, instance, seen, self);
        self.visits.store_begun();
    }

    /// The resource is as declared. A plan has loaded it from an overlay, which proves nothing.
    pub(super) fn note_converged(&self, instance: &dyn Instance, seen: &Observation) {
        if let (Some(journal), Mode::Apply) = (self.visits.journal, self.visits.mode()) {
            journal.converged(&self.loaded(instance, seen));
        }
    }

    /// The resource was changed, and is as declared.
    pub(super) fn note_changed(&self, instance: &dyn Instance, seen: &Observation, change: &Change) {
        if let Some(journal) = self.visits.journal {
            let (loaded, (_, action)) = (self.loaded(instance, seen), self.visits.action(self.node));
            journal.changed(&VerifiedChange { loaded, action, change, host: &self.act() });
        }
    }

    /// Why the resource differs.
    pub(super) fn causes(&self, instance: &dyn Instance, seen: &Observation) -> DifferenceCauses {
        let journal = self.visits.last_applied.filter(|_| !seen.repeats);
        journal.map(|journal| journal.causes(&self.loaded(instance, seen))).unwrap_or_default()
    }

    /// The differences as they may be shown: without present values that were applied as secrets.
    pub(super) fn without_applied_secrets(
        &self,
        mut differences: Vec<Difference>,
        instance: &dyn Instance,
        seen: &Observation,
    ) -> Vec<Difference> {
        let journal = self.visits.last_applied;
        let secrets = journal.map(|journal| journal.applied_secrets(&self.loaded(instance, seen)));
        for index in secrets.unwrap_or_default() {
            if let Some(difference) = differences.get_mut(index) {
                let from = std::mem::replace(&mut difference.from, Side::Absent);
                difference.from = from.sensitive();
            }
        }
        differences
    }

    fn loaded<'l>(&'l self, instance: &'l dyn Instance, seen: &'l Observation) -> LoadedResource<'l> {
        let declared = self.program.declared(self.node);
        let (resource, sensitive) = (&declared.declaration.id, declared.declaration.meta.sensitive);
        let (kinds, secret) = (self.program.kinds(), self.is_secret());
        LoadedResource { resource, declared, instance, seen, kinds, sensitive, secret }
    }
}

impl Visits<'_> {
    /// Before the first effect of changes that began.
    pub(super) fn store_begun(&self) {
        if let Some(journal) = self.journal {
            journal.store_begun();
        }
    }

    /// A node that `visitor` changes, alone or with others, is about to be changed. [`Visits::store_begun`] has to follow.
    pub(super) fn begin_change(
        &self,
        node: NodeIndex,
        change: &Change,
        instance: &dyn Instance,
        seen: Option<&Observation>,
        visitor: &Visitor<'_>,
    ) {
        let Some(journal) = self.journal else { return };
        let (resource, action) = self.action(node);
        let nested = visitor.foreseen();
        let nested = nested
            .iter()
            .map(|request| (self.program.target(request.resource, &request.action), request.moment));
        let declared = self.program.notifications.consequences(&self.program.list, node);
        let is_due = |(target, moment): &(NodeIndex, Moment)| {
            *moment != Moment::Before && self.request.selects(*target)
        };
        let targets = declared.into_iter().chain(nested).filter(is_due);
        let notifies = targets.map(|(target, moment)| {
            let (resource, action) = self.action(target);
            let is_verifier = self.program.notifications.verified_by(target).is_some();
            (resource, action, (!is_verifier).then_some(moment))
        });
        let notifies = notifies.collect();
        let (sensitive, secret) =
            (self.program.declared(node).declaration.meta.sensitive, visitor.is_secret());
        let load = seen.map(|seen| move || RecordedState::replaced(instance, seen, &visitor.act()));
        let replaced = load.as_ref().map(|load| load as &dyn Fn() -> Result<RecordedState>);
        let beginning = BeginningChange {
            resource,
            action,
            change,
            sensitive,
            secret,
            instance,
            seen,
            replaced,
            notifies,
        };
        journal.begin(&beginning);
    }

    fn action(&self, node: NodeIndex) -> (&ResourceId, &Action) {
        (self.program.id(node), self.program.entry(node).action())
    }
}
