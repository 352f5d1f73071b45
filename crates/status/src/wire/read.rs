//! From the types of the protocol to ours.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Action, Name};
use uphold_resource::{Error, ErrorKind};
use uphold_wire::{ReadError, status as wire};

use super::word::{read_change, read_milliseconds, read_time};
use crate::happening::{Happening, HappeningKind};
use crate::snapshot::{
    Blind, LastChange, Next, Overview, Phase, Refusal, ResourceStatus, Snapshot, State, Trouble, Visit, Why,
};

/// An answer cannot be read: the watch has another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(Option<ReadError>);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(other @ ReadError::OtherVersion { .. }) => other.fmt(f),
            _ => f.write_str("the answer of the watch is not what this version understands"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        let error = Error::new(ErrorKind::Unsupported, unreadable.to_string());
        error.hint("use the version of uphold that the watch has, or --json")
    }
}

impl Snapshot {
    /// A snapshot from the line of an [`Answer`](crate::Answer); of an overview, without resources.
    ///
    /// # Errors
    /// If it is none, has another major version, or something that is needed is missing.
    pub fn from_line(line: &str) -> Result<Self, Unreadable> {
        let mut answer: wire::Status = uphold_wire::read(line).map_err(|error| Unreadable(Some(error)))?;
        let resources = answer.resources.take().unwrap_or_default();
        let read = || Some(Self { resources: all(resources)?, overview: overview(answer)? });
        read().ok_or(Unreadable(None))
    }
}

fn all(statuses: Vec<wire::ResourceStatus>) -> Option<Vec<ResourceStatus>> {
    statuses.into_iter().map(status).collect()
}

/// What may be none, but not wrong.
fn maybe<T, U>(from: Option<T>, read: impl Fn(T) -> Option<U>) -> Option<Option<U>> {
    from.map_or(Some(None), |from| read(from).map(Some))
}

fn names(names: Vec<String>) -> Arc<[Name]> {
    names.into_iter().map(Into::into).collect()
}

fn overview(answer: wire::Status) -> Option<Overview> {
    let refusal = |one: wire::Refusal| Some(Refusal { at: read_time(&one.at)?, message: one.message });
    Some(Overview {
        began: read_time(&answer.began)?,
        pid: answer.pid,
        phase: phase(&answer.phase)?,
        generation: answer.generation,
        swapped: maybe(answer.swapped, |at| read_time(&at))?,
        refused: maybe(answer.refused, refusal)?,
        totals: answer.totals,
        troubles: all(answer.troubles)?,
        more_troubles: answer.more_troubles,
        busy: all(answer.busy)?,
        happenings: answer.happenings.into_iter().filter_map(happening).map(Arc::new).collect(),
    })
}

fn phase(phase: &wire::Phase) -> Option<Phase> {
    Some(match &*phase.word {
        "starting" => Phase::Starting,
        "converging" => Phase::Converging { done: phase.done?, of: phase.of? },
        "watching" => Phase::Watching { since: read_time(phase.since.as_ref()?)? },
        _ => return None,
    })
}

fn why(why: wire::Why) -> Why {
    Why { word: why.reason.into(), text: why.text }
}

fn status(status: wire::ResourceStatus) -> Option<ResourceStatus> {
    Some(ResourceStatus {
        resource: status.resource.into(),
        action: Action::named(&status.action)?,
        state: state(status.state)?,
        since: read_time(&status.since)?,
        busy: maybe(status.busy_since, |at| read_time(&at))?,
        next: maybe(status.next, |next| Some(Next { at: read_time(&next.at)?, reason: next.reason }))?,
        blind: maybe(status.blind, blind)?,
        last_change: maybe(status.last_change, last_change)?,
        last_visit: maybe(status.last_visit, visit)?,
        visits: status.visits,
        changes: status.changes,
        drifted: status.drifted,
        repaired: status.repaired,
        failures: status.failures,
    })
}

fn state(state: wire::State) -> Option<State> {
    let trouble = |found: wire::Trouble| {
        let wire::Trouble { hint, kind, message } = found;
        Arc::new(Trouble { kind: kind.into(), message, hint })
    };
    Some(match &*state.word {
        "waiting" => State::Waiting,
        "held" => State::Held,
        "failed" => State::Failed(trouble(state.failure?)),
        "ignored" => State::Ignored(trouble(state.failure?)),
        "blocked" => State::Blocked(state.by?.into()),
        "differs" => {
            State::Differs { kind: read_change(&state.change?)?, properties: names(state.properties?) }
        }
        "left_alone" => State::LeftAlone(state.reason?.into()),
        _ => return None,
    })
}

fn blind(blind: wire::Blind) -> Option<Arc<Blind>> {
    Some(Arc::new(Blind { because: blind.because, every: read_milliseconds(blind.every_ms)? }))
}

fn last_change(made: wire::LastChange) -> Option<LastChange> {
    let (at, kind) = (read_time(&made.at)?, read_change(&made.change)?);
    Some(LastChange { at, kind, properties: names(made.properties), why: why(made.why) })
}

fn visit(visit: wire::Visit) -> Option<Visit> {
    Some(Visit { at: read_time(&visit.at)?, took: read_milliseconds(visit.took_ms)?, why: why(visit.why) })
}

/// None for one that a later version tells, which is left out.
fn happening(mut told: wire::Happening) -> Option<Happening> {
    Some(Happening {
        at: read_time(&told.at)?,
        resource: told.resource.take().map(Into::into),
        why: told.why.take().map(why),
        took: maybe(told.took_ms, read_milliseconds)?,
        kind: happening_kind(told)?,
    })
}

fn happening_kind(told: wire::Happening) -> Option<HappeningKind> {
    let kind = told.change.as_deref().and_then(read_change);
    let properties = told.properties.map(names);
    Some(match &*told.word {
        "repaired" => HappeningKind::Repaired { kind: kind?, properties: properties? },
        "drifted" => HappeningKind::Drifted { kind: kind?, properties: properties? },
        "changed" => HappeningKind::Changed { kind: kind?, properties: properties? },
        "failed" => HappeningKind::Failed { message: told.message? },
        "recovered" => HappeningKind::Recovered,
        "blind" => HappeningKind::Blind { because: told.because? },
        "watching" => HappeningKind::Watching { resources: told.resources? },
        "reports_lost" => HappeningKind::ReportsLost,
        "swapped" => HappeningKind::Swapped {
            generation: told.generation?,
            kept: told.kept?,
            visited: told.visited?,
            left: told.left?,
        },
        "reload_refused" => HappeningKind::ReloadRefused { message: told.message? },
        _ => return None,
    })
}
