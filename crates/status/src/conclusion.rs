//! What the end of a visit means for what is known of its resource.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::{Cause, ChangeKind, Failure, Skip, Unwanted, Verdict};
use uphold_model::{Action, Name, ResourceId};
use uphold_wire::status::{Happening, HappeningKind, State, Trouble};

use crate::entry::{Changed, Entry};
use crate::excerpt::excerpt;
use crate::ledger::Ledger;
use crate::naming::Naming;
use crate::reason::Reason;
use crate::stamp::Stamp;

/// A visit that ended, or that was not made.
pub(crate) struct Conclusion<'a> {
    pub(crate) resource: &'a ResourceId,
    pub(crate) action: &'a Action,
    pub(crate) cause: &'a Cause,
    pub(crate) verdict: &'a Verdict,
    pub(crate) took: Duration,
}

/// What it comes to.
struct Finding {
    state: State,
    /// What was changed.
    change: Option<(ChangeKind, Arc<[Name]>)>,
    reason: Reason,
    /// Whether something else had changed it.
    drifted: bool,
}

impl Conclusion<'_> {
    /// Writes it into the ledger.
    pub(crate) fn enter(&self, ledger: &mut Ledger, now: SystemTime) {
        let at = ledger.roll.at(self.resource, self.action, now.into());
        let Some(finding) = self.finding(ledger.roll.entry(at), &mut ledger.naming) else {
            return ledger.roll.edit(at, |entry| entry.busy = None);
        };
        if !matches!(self.verdict, Verdict::Skipped(_)) {
            self.count(&finding, ledger);
        }
        for kind in happenings(ledger.roll.entry(at).state(), &finding) {
            let (resource, why) = (Some(self.resource.clone()), Some((&finding.reason).into()));
            ledger.happenings.push(Happening { at: now, resource, kind, why, took: Some(self.took) });
        }
        ledger.roll.edit(at, |entry| self.settle(entry, finding, now.into()));
    }

    /// None if nothing was found out, because the watch ends.
    fn finding(&self, entry: &Entry, naming: &mut Naming) -> Option<Finding> {
        let reason = Reason::of(self.cause);
        let may_be_drift = entry.was_held && self.cause.is_outside();
        let found = |state| Finding { state, change: None, reason: reason.clone(), drifted: false };
        Some(match self.verdict {
            Verdict::Unchanged => found(State::Held),
            Verdict::Changed(change) => {
                let change = Some((change.kind, naming.names(&change.differences)));
                Finding { change, drifted: may_be_drift, ..found(State::Held) }
            }
            Verdict::WouldChange(change) | Verdict::Differs(change) => {
                let properties = naming.names(&change.differences);
                let drifted = may_be_drift && !matches!(entry.state(), State::Differs { .. });
                Finding { drifted, ..found(State::Differs { kind: change.kind, properties }) }
            }
            Verdict::MayChange { waits_for, .. } => {
                found(State::LeftAlone(excerpt(&format!("it waits for {waits_for}")).into()))
            }
            Verdict::Failed(failure) => found(State::Failed(trouble(failure))),
            Verdict::Ignored(failure) => found(State::Ignored(trouble(failure))),
            Verdict::Skipped(Skip::Stopped) => return None,
            Verdict::Skipped(Skip::FailedBefore(root)) => found(State::Blocked(root.clone())),
            Verdict::Skipped(why) => found(State::LeftAlone(skipped(why).into())),
            Verdict::NotWanted(why) => found(State::LeftAlone(unwanted(why).into())),
        })
    }

    fn count(&self, finding: &Finding, ledger: &mut Ledger) {
        let tally = ledger.tally.visit(&self.resource.kind, finding.reason.word(), self.took);
        if let Some((kind, _)) = finding.change {
            tally.change(kind);
        }
        tally.failures += u64::from(matches!(finding.state, State::Failed(_)));
        tally.drifted += u64::from(finding.drifted);
        tally.repaired += u64::from(finding.drifted && finding.change.is_some());
    }

    fn settle(&self, entry: &mut Entry, finding: Finding, now: Stamp) {
        let Finding { state, change, reason, drifted } = finding;
        entry.busy = None;
        entry.known().into_iter().for_each(|more| more.next = None);
        if matches!(self.verdict, Verdict::Skipped(_)) {
            return entry.enter(state, now);
        }
        entry.visits = entry.visits.saturating_add(1);
        let has_failed = matches!(state, State::Failed(_));
        if change.is_some() || drifted || has_failed {
            let more = entry.more();
            more.changes = more.changes.saturating_add(u32::from(change.is_some()));
            more.drifted = more.drifted.saturating_add(u32::from(drifted));
            more.repaired = more.repaired.saturating_add(u32::from(drifted && change.is_some()));
        }
        if let Some(more) = entry.known() {
            more.failures = if has_failed { more.failures.saturating_add(1) } else { 0 };
        }
        // What is new in a configuration and fails at first is no drift when a later try makes it.
        entry.was_held &= !has_failed || self.cause.is_outside();
        if let Some((kind, properties)) = change {
            entry.more().change = Some(Changed { at: now, kind, properties, reason: reason.clone() });
        }
        let took = u64::try_from(self.took.as_nanos()).unwrap_or(u64::MAX);
        (entry.visited, entry.took, entry.reason) = (now, took, reason);
        entry.enter(state, now);
    }
}

/// What is worth telling of an entry that was in the state `before`.
fn happenings(before: &State, finding: &Finding) -> Vec<HappeningKind> {
    let mut all = Vec::new();
    match (&finding.change, &finding.state, finding.drifted) {
        (Some((kind, properties)), _, true) => {
            all.push(HappeningKind::Repaired { kind: *kind, properties: properties.clone() });
        }
        (Some((kind, properties)), _, false) => {
            all.push(HappeningKind::Changed { kind: *kind, properties: properties.clone() });
        }
        (None, State::Differs { kind, properties }, true) => {
            all.push(HappeningKind::Drifted { kind: *kind, properties: properties.clone() });
        }
        _ => {}
    }
    match (before, &finding.state) {
        (State::Failed(old), State::Failed(new)) if old.message == new.message => {}
        (_, State::Failed(new)) => all.push(HappeningKind::Failed { message: new.message.clone() }),
        (State::Failed(_), State::Blocked(_)) => {}
        (State::Failed(_), _) => all.push(HappeningKind::Recovered),
        _ => {}
    }
    all
}

fn trouble(failure: &Failure) -> Arc<Trouble> {
    let mut message = failure.message.clone();
    for cause in &failure.causes {
        message = format!("{message}: {cause}");
    }
    let message = excerpt(&message);
    Arc::new(Trouble {
        kind: failure.kind.word().into(),
        message,
        hint: failure.hint.as_deref().map(excerpt),
    })
}

/// Why something was not tried, if nothing that it stands on failed.
fn skipped(why: &Skip) -> String {
    match why {
        Skip::FailedBefore(root) => format!("{root} failed"),
        Skip::Stopped => "the watch was stopped".to_owned(),
        Skip::TooManyFailures => "too much had failed".to_owned(),
        Skip::TooManyChanges => "as many changes were made as allowed".to_owned(),
        Skip::NotAsPlanned(what) => excerpt(&format!("it is not as planned: {what}")),
    }
}

fn unwanted(why: &Unwanted) -> String {
    match why {
        Unwanted::When => "its `when` is false".to_owned(),
        Unwanted::Guard { word, command, of_group } => {
            let whose = if *of_group { "its group's" } else { "its" };
            let command = command.as_deref().map(|command| format!(" {command:?}")).unwrap_or_default();
            let holds = if *word == "not_if" { "holds" } else { "does not hold" };
            excerpt(&format!("{whose} {word}{command} {holds}"))
        }
        Unwanted::NothingChanged => "nothing changed that its group subscribes to".to_owned(),
        Unwanted::RunFailed => "the run failed".to_owned(),
    }
}
