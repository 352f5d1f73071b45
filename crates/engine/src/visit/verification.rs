//! Verification of groups: changes are recorded, and undone if the verification fails.

use uphold_model::Verification;
use uphold_resource::{
    Desired, Error, Instance, Irreversible, RecordedChange, RecordedState, Result, Stop, inverse,
};

use crate::event::{Mode, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::nested_run::NestedRun;
use crate::program::list::GroupIndex;
use crate::visit::early_exit::EarlyExit;
use crate::visit::{Outcome, VisitInputs, Visits};
use crate::visitor::Visitor;

/// The hint if the changes were made by an earlier run.
const EARLIER: &str = "correct the members, or bring their previous state back with `uphold undo RUN`; `uphold history` lists the runs";

/// A change of a member of a verified group.
pub(crate) struct Recorded {
    node: NodeIndex,
    sensitive: bool,
    /// The change and the state after it, or why they are not recorded.
    change: std::result::Result<(RecordedChange, RecordedState), Irreversible>,
}

/// The state before a change; none if no group around the resource is verified.
pub(crate) type BeforeChange = Option<Result<RecordedState>>;

impl Visitor<'_> {
    fn is_recorded(&self) -> bool {
        !self.is_on_request() && self.program.is_verified(self.node)
    }

    /// Loads the state before a change that may have to be undone.
    pub(crate) fn before_change(&self, instance: &dyn Instance, desired: Desired) -> BeforeChange {
        self.is_recorded().then(|| RecordedState::before(instance, desired, &self.act()))
    }

    /// Records a change that was made.
    pub(crate) fn record(&self, instance: &dyn Instance, before: BeforeChange) {
        let Some(before) = before else { return };
        let recorded = before.and_then(|before| {
            let after = before.again(instance, &self.act())?;
            let id = self.program.id(self.node).clone();
            let change = RecordedChange::between(id, instance.schema(), self.is_secret(), before, &after);
            Ok((change, after))
        });
        self.push_record(recorded.map_err(|error| Irreversible::unrecorded(&error)));
    }

    /// Records a verb, which cannot be undone.
    pub(crate) fn record_verb(&self, verb: &str) {
        if self.is_recorded() {
            self.push_record(Err(Irreversible::verb(verb)));
        }
    }

    fn push_record(&self, change: std::result::Result<(RecordedChange, RecordedState), Irreversible>) {
        let recorded = Recorded { node: self.node, sensitive: self.is_secret(), change };
        self.visits.recorded.lock().push(recorded);
    }

    /// The result of the action that verifies a group. If it failed, the changes of the group are undone.
    pub(super) fn verified(
        &self,
        group: GroupIndex,
        result: Result<Outcome, EarlyExit>,
    ) -> Result<Outcome, EarlyExit> {
        if self.visits.mode() != Mode::Apply {
            return result;
        }
        match result {
            Err(EarlyExit::Failed(failure)) if !self.limits.was_interrupted() => {
                Err(EarlyExit::Failed(self.undo(group, failure)))
            }
            Err(other) => Err(other),
            Ok(done) => {
                let (table, list) = (&self.program.notifications, &self.program.list);
                let parent = list.groups.get(group).parent;
                if table.verified(list, parent).is_none() {
                    drop(self.visits.take_recorded(group));
                }
                Ok(done)
            }
        }
    }

    /// Undoes the changes of a group, the latest first.
    fn undo(&self, group: GroupIndex, failure: Failure) -> Failure {
        let recorded = self.visits.take_recorded(group);
        let nodes: Vec<NodeIndex> = recorded.iter().map(|recorded| recorded.node).collect();
        self.visits.undone.lock().extend(&nodes);
        let undo = || self.undo_each(&recorded);
        let mut summary = match self.watching {
            // The members are applied again when the verification is repeated.
            Some(reports) => reports.ignoring(&nodes, undo),
            None => undo(),
        };
        let group = self.program.list.groups.get(group);
        let name = group.name.as_deref().unwrap_or_default();
        if recorded.is_empty() {
            summary.push_str("; not put back: an earlier run, which did not end, made the changes");
        }
        let message = format!("verification of {name:?} failed{summary}");
        let Some(verify) = &group.verify else { return failure };
        if self.is_secret() {
            self.warn(&message);
            return failure;
        }
        let cause = in_own_words(&failure.message, verify);
        let causes = std::iter::once(cause).chain(failure.causes).collect();
        let hint = recorded.is_empty().then(|| EARLIER.to_owned());
        Failure { message, causes, hint: failure.hint.or(hint), ..failure }
    }

    /// Undoes these changes, the latest first. Returns the part of the message that says which ones.
    fn undo_each(&self, recorded: &[Recorded]) -> String {
        let (mut done, mut left) = (Vec::new(), Vec::new());
        for Recorded { node, sensitive, change } in recorded.iter().rev() {
            if *sensitive {
                // The output of the command may show it.
                self.mark_secret();
            }
            let id = self.program.id(*node);
            let undone = change.as_ref().map_err(Clone::clone);
            match undone.and_then(|(change, after)| self.undo_one(*node, change, after)) {
                Ok(()) => {
                    if let Some(journal) = self.visits.journal {
                        journal.put_back(id);
                    }
                    self.members_put_back.lock().push(*node);
                    done.push(id.to_string());
                }
                Err(reason) => left.push(format!("{id} ({reason})")),
            }
        }
        let mut summary =
            if done.is_empty() { String::new() } else { format!("; put back: {}", done.join(", ")) };
        if !left.is_empty() {
            summary.push_str(&format!("; not put back: {}", left.join(", ")));
        }
        summary
    }

    fn undo_one(
        &self,
        node: NodeIndex,
        change: &RecordedChange,
        after: &RecordedState,
    ) -> std::result::Result<(), Irreversible> {
        let now = self.visits.state_now(node, &change.before);
        let now = now.map_err(|error| Irreversible::unrecorded(&error))?;
        let inverse = inverse(change, change.compare(after, &now))?;
        // An interrupted run undoes what it has begun to verify.
        let stop = Stop::default();
        let run = NestedRun {
            kinds: &self.program.registry,
            // Not within this visit, which would be blamed for overwriting its members.
            host: &self.visits.host,
            mode: Mode::Apply,
            stop: &stop,
            around: None,
        };
        let failed = |words: String| Irreversible(words.into());
        match run.run_one(inverse.declaration, &inverse.action) {
            Ok(Verdict::Changed(_) | Verdict::Unchanged) => Ok(()),
            Ok(Verdict::Failed(failure)) => Err(failed(
                std::iter::once(failure.message).chain(failure.causes).collect::<Vec<_>>().join(": "),
            )),
            Ok(_) => Err(failed("it was skipped".to_owned())),
            Err(error) => Err(failed(error.chain())),
        }
    }
}

/// The message of a failed verification, with the command in place of the property, which the user did not write.
fn in_own_words(message: &str, verify: &Verification) -> String {
    let command = &verify.command;
    match message.strip_prefix(&*format!("`{}` ", verify.property)) {
        Some(rest) => format!("`{command}` {rest}"),
        None => format!("`{command}`: {message}"),
    }
}

impl Visits<'_> {
    /// Takes the recorded changes of a group, in order.
    fn take_recorded(&self, group: GroupIndex) -> Vec<Recorded> {
        let list = &self.program.list;
        let is_inside = |recorded: &Recorded| {
            let entry = self.program.entry(recorded.node);
            list.groups.around(entry.group).any(|around| around == group)
        };
        let mut all = self.recorded.lock();
        let (inside, outside) = std::mem::take(&mut *all).into_iter().partition(is_inside);
        *all = outside;
        inside
    }

    /// The state of a member now, recorded in the same way as before its change.
    fn state_now(&self, node: NodeIndex, before: &RecordedState) -> Result<RecordedState> {
        let inputs = VisitInputs::default();
        let visitor = Visitor::new(self, node, &inputs);
        let load = || {
            let declared = visitor.decoded()?;
            visitor.mark_secrets_of(&*declared);
            // A removed resource need not be valid.
            let completed = visitor.prepare(&*declared, Desired::Present).ok().flatten();
            let instance = completed.as_deref().unwrap_or(&*declared);
            Ok(before.again(instance, &visitor.act())?)
        };
        EarlyExit::catch(load).map_err(|exit| match exit {
            EarlyExit::Failed(failure) => Error::failed(failure.message),
            _ => Error::failed("its present state is not known"),
        })
    }
}
