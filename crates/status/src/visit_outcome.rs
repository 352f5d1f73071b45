//! The effect of a finished visit on the status of its resource.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashSet;
use uphold_engine::{Cause, ChangeKind, Failure, Skip, Unwanted, Verdict};
use uphold_model::{Action, Difference, Name, ResourceId};
use uphold_wire::Pause;
use uphold_wire::status::{RecentEvent, State, Trouble, WatchEventKind};

use crate::entry::{Changed, Entry, Reason, Stamp, reason, why, word};
use crate::event_fold::EventFold;

/// A visit that ended, or that was skipped.
pub(crate) struct FinishedVisit<'a> {
    pub(crate) resource: &'a ResourceId,
    pub(crate) action: &'a Action,
    pub(crate) cause: &'a Cause,
    pub(crate) verdict: &'a Verdict,
    pub(crate) took: Duration,
}

/// The result of a visit.
struct VisitResult {
    state: State,
    /// The change that was made.
    change: Option<(ChangeKind, Arc<[Name]>)>,
    reason: Reason,
    /// Whether it had drifted.
    drifted: bool,
}

impl FinishedVisit<'_> {
    /// Records it.
    pub(crate) fn record(&self, fold: &mut EventFold, now: SystemTime) {
        let at = fold.index.at(self.resource, self.action, now.into());
        let reason = reason(self.cause, &mut fold.last_reason);
        let Some(result) = self.result(fold.index.entry(at), &mut fold.properties, &reason) else {
            return fold.index.edit(at, |entry| entry.busy = None);
        };
        if !matches!(self.verdict, Verdict::Skipped(_)) {
            self.count(&result, fold);
        }
        for kind in happenings(fold.index.entry(at).state(), &result) {
            let (resource, why) = (Some(self.resource.clone()), Some(why(&result.reason)));
            fold.push(RecentEvent { at: now, resource, kind, cause: why, duration: Some(self.took) });
        }
        fold.index.edit(at, |entry| self.update(entry, result, now.into()));
    }

    /// None if the watch was stopped before the visit.
    fn result(&self, entry: &Entry, properties: &mut PropertyLists, reason: &Reason) -> Option<VisitResult> {
        let may_be_drift = entry.was_ok && self.cause.is_outside();
        let found = |state| VisitResult { state, change: None, reason: reason.clone(), drifted: false };
        Some(match self.verdict {
            Verdict::Unchanged => found(State::Held),
            Verdict::Changed(change) => {
                let drifted = may_be_drift || change.is_found_drift(self.cause);
                let change = Some((change.kind, properties.names(&change.differences)));
                VisitResult { change, drifted, ..found(State::Held) }
            }
            Verdict::WouldChange(change) | Verdict::Differs(change) | Verdict::PutBack(change) => {
                let properties = properties.names(&change.differences);
                let drifted = may_be_drift && !matches!(entry.state(), State::Differs { .. });
                VisitResult { drifted, ..found(State::Differs { kind: change.kind, properties }) }
            }
            Verdict::Paused(change, pause) => {
                let properties = properties.names(&change.differences);
                let drifted = may_be_drift && !matches!(entry.state(), State::Paused { .. });
                let pause = Arc::new(Pause {
                    by: excerpt(&pause.by),
                    reason: pause.reason.as_deref().map(excerpt),
                    until: pause.until,
                });
                VisitResult { drifted, ..found(State::Paused { kind: change.kind, properties, pause }) }
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

    fn count(&self, result: &VisitResult, fold: &mut EventFold) {
        let counters = fold.counters.visit(&self.resource.kind, word(&result.reason), self.took);
        if let Some((kind, _)) = result.change {
            counters.change(kind);
        }
        counters.failures += u64::from(matches!(result.state, State::Failed(_)));
        counters.drifted += u64::from(result.drifted);
        counters.repaired += u64::from(result.drifted && result.change.is_some());
    }

    fn update(&self, entry: &mut Entry, result: VisitResult, now: Stamp) {
        let VisitResult { state, change, reason, drifted } = result;
        entry.busy = None;
        if let Some(more) = entry.if_more() {
            more.next = None;
        }
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
        if let Some(more) = entry.if_more() {
            more.failures = if has_failed { more.failures.saturating_add(1) } else { 0 };
        }
        // A declaration that fails at first has not drifted when a later attempt succeeds.
        entry.was_ok &= !has_failed || self.cause.is_outside();
        if let Some((kind, properties)) = change {
            entry.more().change = Some(Changed { at: now, kind, properties, reason: reason.clone() });
        }
        let took = u64::try_from(self.took.as_nanos()).unwrap_or(u64::MAX);
        (entry.visited, entry.took, entry.reason) = (now, took, reason);
        entry.enter(state, now);
    }
}

/// The events of a visit to an entry that was in the state `before`.
fn happenings(before: &State, result: &VisitResult) -> Vec<WatchEventKind> {
    let mut all = Vec::new();
    match (&result.change, &result.state, result.drifted) {
        (Some((kind, properties)), _, true) => {
            all.push(WatchEventKind::Repaired { change: *kind, properties: properties.clone() });
        }
        (Some((kind, properties)), _, false) => {
            all.push(WatchEventKind::Changed { change: *kind, properties: properties.clone() });
        }
        (None, State::Differs { kind, properties } | State::Paused { kind, properties, .. }, true) => {
            all.push(WatchEventKind::Drifted { change: *kind, properties: properties.clone() });
        }
        _ => {}
    }
    match (before, &result.state) {
        (State::Failed(old), State::Failed(new)) if old.message == new.message => {}
        (_, State::Failed(new)) => all.push(WatchEventKind::Failed { message: new.message.clone() }),
        (State::Failed(_), State::Blocked(_)) => {}
        (State::Failed(_), _) => all.push(WatchEventKind::Recovered),
        _ => {}
    }
    all
}

fn trouble(failure: &Failure) -> Arc<Trouble> {
    let message = failure.causes.iter().fold(failure.message.clone(), |all, cause| format!("{all}: {cause}"));
    let (kind, hint) = (failure.kind.word().into(), failure.hint.as_deref().map(excerpt));
    Arc::new(Trouble { kind, message: excerpt(&message), hint })
}

/// Why a resource was skipped.
fn skipped(why: &Skip) -> String {
    match why {
        Skip::FailedBefore(root) => format!("{root} failed"),
        Skip::Stopped => "the watch was stopped".to_owned(),
        Skip::TooManyFailures => "too many resources failed".to_owned(),
        Skip::TooManyChanges => "the limit of changes was reached".to_owned(),
        Skip::NotAsPlanned(what) => excerpt(&format!("it differs from the plan: {what}")),
    }
}

fn unwanted(why: &Unwanted) -> String {
    match why {
        Unwanted::When => "its `when` is false".to_owned(),
        Unwanted::Guard { word, command, of_group } => {
            let whose = if *of_group { "its group's" } else { "its" };
            let command = command.as_deref().map(|command| format!(" {command:?}")).unwrap_or_default();
            excerpt(&format!("{whose} {word}{command} is {}", *word == "not_if"))
        }
        Unwanted::NothingChanged => "its group subscribes to resources that did not change".to_owned(),
        Unwanted::RunFailed => "the run failed".to_owned(),
    }
}

// Texts and name lists of bounded size: the model must not grow with its input.

/// The longest message that is kept, in bytes: a few lines of a terminal.
const LONGEST: usize = 600;

/// The text, or its beginning if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST);
    if end == text.len() { text.to_owned() } else { format!("{}…", &text[..end]) }
}

/// The most names of one change.
const NAMES: usize = 12;

/// The most lists: kinds have few properties, so few combinations occur.
const LISTS: usize = 1_024;

/// Lists of property names. Equal lists share memory: most resources of a kind change in the same properties.
#[derive(Debug, Default)]
pub(crate) struct PropertyLists(FxHashSet<Arc<[Name]>>);

impl PropertyLists {
    /// The names of the properties that differ.
    pub(crate) fn names(&mut self, differences: &[Difference]) -> Arc<[Name]> {
        let mut names: Vec<Name> = differences.iter().take(NAMES).map(|one| one.property.clone()).collect();
        if differences.len() > NAMES {
            names.push(format!("{} more", differences.len() - NAMES).into());
        }
        if let Some(known) = self.0.get(names.as_slice()) {
            return known.clone();
        }
        if self.0.len() == LISTS {
            self.0.clear();
        }
        let names: Arc<[Name]> = names.into();
        self.0.insert(names.clone());
        names
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::Side;

    use super::*;

    #[test]
    fn long_text_is_cut_between_characters() {
        let check = |text: &str, expected: &str| assert_eq!(excerpt(text), expected);
        check("", "");
        check("short", "short");
        check(&"x".repeat(LONGEST), &"x".repeat(LONGEST));
        check(&"x".repeat(LONGEST + 1), &format!("{}…", "x".repeat(LONGEST)));
        let wide = format!("{}é and more", "x".repeat(LONGEST - 1));
        check(&wide, &format!("{}…", "x".repeat(LONGEST - 1)));
    }

    fn differences(names: impl IntoIterator<Item = String>) -> Vec<Difference> {
        let difference =
            |name: String| Difference { property: name.into(), from: Side::Absent, to: Side::Absent };
        names.into_iter().map(difference).collect()
    }

    #[test]
    fn equal_lists_are_shared_and_long_ones_cut() {
        let mut lists = PropertyLists::default();
        let mode = || differences(["mode".to_owned()]);
        assert!(Arc::ptr_eq(&lists.names(&mode()), &lists.names(&mode())));
        let many = lists.names(&differences((0..NAMES + 3).map(|at| at.to_string())));
        assert_eq!((many.len(), &*many[NAMES]), (NAMES + 1, "3 more"));
    }

    #[test]
    fn lists_are_bounded() {
        let mut lists = PropertyLists::default();
        for at in 0..3 * LISTS {
            lists.names(&differences([at.to_string()]));
        }
        assert!(lists.0.len() <= LISTS);
    }
}
