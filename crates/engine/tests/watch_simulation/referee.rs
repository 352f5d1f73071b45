//! Checks the events against the rules.

use std::collections::{BTreeMap, BTreeSet};

use uphold_engine::{Event, EventKind, Verdict};
use uphold_model::{Action, Moment};

use super::plot::{HANDLERS, Plot, Thing, path_of};

/// More events than any plot has: a watch with more never becomes idle.
const EVENTS: usize = 50_000;

/// The state that follows from the events so far.
#[derive(Default)]
pub(crate) struct Referee {
    /// The configurations by number, beginning with 0.
    pub(crate) plots: BTreeMap<u64, Plot>,
    generation: u64,
    /// Resources whose last visit failed.
    failed: BTreeSet<String>,
    /// For each resource, the event that last notified it, and the event of its last action.
    owed: BTreeMap<String, usize>,
    acted: BTreeMap<String, usize>,
    /// The number of events.
    pub(crate) count: usize,
    /// The last event with a change.
    pub(crate) last_change: usize,
    pub(crate) complaints: Vec<String>,
    /// The number of woken visits and of repairs: a plot without any tests nothing.
    pub(crate) woken: usize,
    pub(crate) repairs: usize,
}

impl Referee {
    /// The current configuration.
    pub(crate) fn plot(&self) -> &Plot {
        &self.plots[&self.generation]
    }

    pub(crate) fn hear(&mut self, event: &Event) {
        self.count += 1;
        assert!(self.count < EVENTS, "it never comes to rest");
        match &event.kind {
            EventKind::Swapped { generation, .. } => {
                self.generation = *generation;
                self.failed.clear();
                self.forgive();
            }
            EventKind::Started { resource, action, .. }
                if *action != Action::named("shout").expect("a verb") =>
            {
                self.check_foundation(&resource.name);
            }
            EventKind::Finished { resource, action, verdict, cause, .. } => {
                let woken = matches!(cause, uphold_engine::Cause::Woken(_));
                self.woken += usize::from(woken);
                self.repairs += usize::from(woken && matches!(verdict, Verdict::Changed(_)));
                self.finish(&resource.name, matches!(action, Action::Verb(_)), verdict);
            }
            _ => {}
        }
    }

    /// A resource does not run while a dependency is failed.
    fn check_foundation(&mut self, name: &str) {
        let Some(thing) = self.thing(name) else { return };
        let failed =
            self.plot().needs(thing).into_iter().find(|other| self.failed.contains(&path_of(*other)));
        if let Some(other) = failed {
            self.complaints.push(format!("{name} is visited while {} is failed", path_of(other)));
        }
    }

    fn finish(&mut self, name: &str, is_verb: bool, verdict: &Verdict) {
        match (is_verb, verdict) {
            (true, Verdict::Changed(_)) => _ = self.acted.insert(name.to_owned(), self.count),
            (true, _) => {}
            (false, Verdict::Failed(_)) => _ = self.failed.insert(name.to_owned()),
            (false, Verdict::Changed(_)) => {
                self.failed.remove(name);
                self.last_change = self.count;
                self.owe(name);
            }
            (false, Verdict::Skipped(_)) => {}
            (false, _) => _ = self.failed.remove(name),
        }
    }

    /// Records notifications, whose targets have to act.
    fn owe(&mut self, name: &str) {
        let Some(prop) = self.thing(name).and_then(|thing| self.plot().get(thing)) else { return };
        let transcript = prop
            .notifies
            .iter()
            .filter(|(_, moment)| matches!(moment, Moment::Immediately | Moment::Delayed));
        let transcript: Vec<&str> = transcript.map(|(handler, _)| HANDLERS[*handler]).collect();
        for handler in transcript {
            self.owed.insert(handler.to_owned(), self.count);
        }
    }

    /// A resource that is no longer notified has nothing to do.
    fn forgive(&mut self) {
        let transcript = self.plot().things().flat_map(|(_, prop)| &prop.notifies);
        let transcript: BTreeSet<&str> = transcript.map(|(handler, _)| HANDLERS[*handler]).collect();
        self.owed.retain(|handler, _| transcript.contains(handler.as_str()));
    }

    fn thing(&self, name: &str) -> Option<Thing> {
        self.plot().things().map(|(thing, _)| thing).find(|thing| path_of(*thing) == name)
    }

    /// Resources that were notified and have not acted.
    pub(crate) fn check_errands(&self) -> Result<(), String> {
        let idle = |handler: &str, at: usize| self.acted.get(handler).is_none_or(|acted| *acted < at);
        match self.owed.iter().find(|(handler, at)| idle(handler, **at)) {
            Some((handler, at)) => Err(format!("{handler} was transcript at event {at}, and did not act")),
            None => Ok(()),
        }
    }
}
