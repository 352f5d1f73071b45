//! Resources that another resource of the same run changed again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Claims, Difference};
use uphold_resource::{Desired, Error, Instance, Observation, Result};

use crate::dispatcher::Dispatcher;
use crate::event::{Cause, EventKind, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::program::list::ActionEntry;
use crate::program::managed;
use crate::program::set::ResourceIndex;
use crate::visit::writes::Writers;
use crate::visit::{VisitInputs, Visits};
use crate::visitor::Visitor;

/// The paths that a run has written.
pub(crate) struct Written {
    exact: FxHashMap<PathBuf, Writers>,
    /// Their parents, with all that wrote something inside.
    around: FxHashMap<PathBuf, Writers>,
}

impl Written {
    fn new(exact: FxHashMap<PathBuf, Writers>) -> Self {
        let mut around: FxHashMap<PathBuf, Writers> = FxHashMap::default();
        for (path, writers) in &exact {
            for parent in path.ancestors().skip(1) {
                match around.get_mut(parent) {
                    Some(known) => known.join(*writers),
                    None => _ = around.insert(parent.to_owned(), *writers),
                }
            }
        }
        Self { exact, around }
    }

    /// Another resource that wrote what these claims of `resource` are about: a path that it holds or edits, or one
    /// inside a directory all of which belongs to it.
    fn by_other(&self, claims: &Claims, resource: ResourceIndex) -> Option<ResourceIndex> {
        managed::controlled_paths(claims).find_map(|(path, whole)| {
            let exact = self.exact.get(path).and_then(|writers| writers.besides(resource));
            let inside = self.around.get(path).filter(|_| whole);
            exact.or_else(|| inside.and_then(|writers| writers.besides(resource)))
        })
    }
}

impl Visits<'_> {
    /// The paths that were written, if that is noted and there are any.
    fn written(&self) -> Option<Written> {
        let all = self.writes.as_ref()?.take();
        (!all.is_empty()).then(|| Written::new(all))
    }

    /// Loads a node again if another resource wrote to its paths: why it differs, if it does.
    fn check_again(&self, node: NodeIndex, written: &Written, secret: bool) -> Option<Failure> {
        let entry = self.program.list.get(node as usize);
        let visitor = Visitor::new(self, node, secret);
        let slot = &self.program.node(node).instance;
        let decoded = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let kept = decoded.is_some();
        let mut instance = decoded.or_else(|| self.decode(node, entry, &visitor).ok())?;
        visitor.keep_secrets_of(&*instance);
        let by = written.by_other(&instance.claims(), entry.resource);
        let failure = by.and_then(|by| self.differs_again(entry, instance.as_mut(), by, &visitor));
        if kept {
            self.put_back(node, instance);
        }
        failure
    }

    fn differs_again(
        &self,
        entry: &ActionEntry,
        instance: &mut dyn Instance,
        by: ResourceIndex,
        visitor: &Visitor<'_>,
    ) -> Option<Failure> {
        // The next run would skip it.
        if !matches!(self.left_alone(entry, &VisitInputs::default(), visitor), Ok(None)) {
            return None;
        }
        let seen = observe(entry.action(), instance, visitor).transpose()?;
        let by = self.program.set.id(by);
        match seen {
            Ok(seen) if seen.converged || seen.repeats => None,
            Err(error) if error.again_after().is_some() => None,
            _ if visitor.limits().was_interrupted() => None,
            Ok(seen) => {
                let hide = |difference: Difference| match visitor.is_secret() {
                    true => difference.sensitive(),
                    false => difference,
                };
                let differences = seen.differences.into_iter().map(hide).collect();
                Some(Failure { differences, ..Failure::overwritten(by) })
            }
            Err(error) => {
                let causes = if visitor.is_secret() { Vec::new() } else { vec![error.chain()] };
                Some(Failure { causes, ..Failure::overwritten(by) })
            }
        }
    }
}

/// What is there, compared with what the action wants; nothing for a verb.
fn observe(
    action: &Action,
    instance: &mut dyn Instance,
    visitor: &Visitor<'_>,
) -> Result<Option<Observation>, Error> {
    match action {
        Action::Converge => {
            instance.prepare(&visitor.act())?;
            instance.observe(Desired::Present, &visitor.act()).map(Some)
        }
        Action::Remove => instance.observe(Desired::Absent, &visitor.act()).map(Some),
        Action::Verb(_) => Ok(None),
    }
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// Everything is done: resources that another one changed again have failed after all. Costs nothing if nothing was
    /// written; else the claims of all resources, and a load of each whose paths another resource wrote.
    pub(crate) fn fail_overwritten(&mut self, visits: &Visits<'_>) {
        let Some(written) = visits.written() else { return };
        for node in self.last_settled() {
            if self.stop.is_requested() {
                return;
            }
            let secret = self.schedule.passed(node).secret;
            let check = || visits.check_again(node, &written, secret);
            let failure = match catch_unwind(AssertUnwindSafe(check)) {
                Ok(failure) => failure,
                Err(panic) => Some(Failure::panicked(&*panic)),
            };
            if let Some(failure) = failure {
                let verdict = self.failed(node, failure);
                self.summary.count(&verdict);
                let (resource, action) = self.describe(node);
                let (cause, took) = (Cause::Written, Duration::ZERO);
                self.log.report(EventKind::Finished { resource, action, cause, verdict, took });
            }
        }
    }

    /// The last written action of each resource that is as declared now, without verbs, and without members of groups
    /// that only run after a change of something else.
    fn last_settled(&self) -> Vec<NodeIndex> {
        let (list, table) = (&self.program.list, &self.program.notifications);
        let mut last: Vec<Option<NodeIndex>> = vec![None; self.program.set.numbers()];
        for (node, entry) in (0..).zip(list.iter()) {
            if !matches!(entry.action(), Action::Verb(_)) {
                last[entry.resource as usize] = Some(node);
            }
        }
        let subscribes = |node: &NodeIndex| {
            let mut around = list.groups().around(list.get(*node as usize).group);
            around.any(|group| table.subscribed(group).is_some())
        };
        let mut nodes: Vec<NodeIndex> = last.into_iter().flatten().collect();
        nodes.retain(|node| self.settled.get(*node as usize).is_some_and(|settled| *settled));
        nodes.retain(|node| !subscribes(node));
        nodes.sort_unstable();
        nodes
    }

    /// Notes whether an action left its resource as declared.
    pub(crate) fn note_settled(&mut self, node: NodeIndex, verdict: &Verdict) {
        if let Some(settled) = self.settled.get_mut(node as usize) {
            *settled = matches!(verdict, Verdict::Unchanged | Verdict::Changed(_));
        }
    }
}
