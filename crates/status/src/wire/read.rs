//! From JSON to our types. What is not known here is left alone; what is missing makes it unreadable.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value as Json;
use uphold_engine::ChangeKind;
use uphold_model::{Action, Name, ResourceId};
use uphold_resource::{Error, ErrorKind};

use super::word::{read_change, read_milliseconds, read_time};
use crate::happening::{Happening, HappeningKind};
use crate::snapshot::{
    Blind, LastChange, Next, Overview, Phase, Refusal, ResourceStatus, Snapshot, State, Trouble, Visit, Why,
};
use crate::totals::Totals;

/// An answer is not what this version understands: the watch is of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer of the watch is not what this version understands")
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
    /// A snapshot from the line of an [`Answer`](crate::Answer).
    ///
    /// # Errors
    /// If it is none, or something that is needed is missing.
    pub fn from_line(line: &str) -> Result<Self, Unreadable> {
        let json: Json = serde_json::from_str(line).map_err(|_| Unreadable)?;
        Self::from_json(&json)
    }

    /// The reverse of [`Snapshot::write`]; of an overview, without resources.
    ///
    /// # Errors
    /// If something that is needed is missing.
    pub fn from_json(json: &Json) -> Result<Self, Unreadable> {
        let resources = json.get("resources").map_or(Some(Vec::new()), |all| list(all, status));
        let read = || Some(Self { overview: overview(json)?, resources: resources? });
        read().ok_or(Unreadable)
    }
}

fn list<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    json.as_array()?.iter().map(read).collect()
}

/// What may be null.
fn maybe<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Option<T>> {
    if json.is_null() { Some(None) } else { read(json).map(Some) }
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(str::to_owned)
}

fn name(json: &Json) -> Option<Name> {
    json.as_str().map(Into::into)
}

fn size(json: &Json) -> Option<usize> {
    json.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn count(json: &Json) -> Option<u32> {
    json.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn time(json: &Json) -> Option<SystemTime> {
    read_time(json.as_str()?)
}

fn span(json: &Json) -> Option<Duration> {
    read_milliseconds(json.as_f64()?)
}

fn change(json: &Json) -> Option<ChangeKind> {
    read_change(json.as_str()?)
}

fn names(json: &Json) -> Option<Arc<[Name]>> {
    list(json, name).map(Into::into)
}

fn overview(json: &Json) -> Option<Overview> {
    let refusal = |json: &Json| Some(Refusal { at: time(&json["at"])?, message: text(&json["message"])? });
    Some(Overview {
        began: time(&json["began"])?,
        pid: count(&json["pid"])?,
        phase: phase(&json["phase"])?,
        generation: json["generation"].as_u64()?,
        swapped: maybe(&json["swapped"], time)?,
        refused: maybe(&json["refused"], refusal)?,
        totals: totals(&json["totals"])?,
        troubles: list(&json["troubles"], status)?,
        more_troubles: size(&json["more_troubles"])?,
        busy: list(&json["busy"], status)?,
        happenings: json["happenings"].as_array()?.iter().filter_map(happening).map(Arc::new).collect(),
    })
}

fn phase(json: &Json) -> Option<Phase> {
    Some(match json["word"].as_str()? {
        "starting" => Phase::Starting,
        "converging" => Phase::Converging { done: size(&json["done"])?, of: size(&json["of"])? },
        "watching" => Phase::Watching { since: time(&json["since"])? },
        _ => return None,
    })
}

fn totals(json: &Json) -> Option<Totals> {
    let now = |name: &str| size(&json[name]);
    let ever = |name: &str| json[name].as_u64();
    Some(Totals {
        all: now("all")?,
        waiting: now("waiting")?,
        held: now("held")?,
        failed: now("failed")?,
        ignored: now("ignored")?,
        blocked: now("blocked")?,
        differ: now("differ")?,
        left_alone: now("left_alone")?,
        busy: now("busy")?,
        pending: now("pending")?,
        blind: now("blind")?,
        visits: ever("visits")?,
        changes: ever("changes")?,
        failures: ever("failures")?,
        drifted: ever("drifted")?,
        repaired: ever("repaired")?,
        reports_lost: ever("reports_lost")?,
        swaps: ever("swaps")?,
        refusals: ever("refusals")?,
    })
}

fn resource(json: &Json) -> Option<ResourceId> {
    let (kind, own) = (name(&json["kind"])?, name(&json["name"])?);
    Some(ResourceId::new(kind, own).in_module(name(&json["module"])).with_key(name(&json["key"])))
}

fn why(json: &Json) -> Option<Why> {
    Some(Why { word: name(&json["reason"])?, text: text(&json["text"])? })
}

fn status(json: &Json) -> Option<ResourceStatus> {
    Some(ResourceStatus {
        resource: resource(&json["resource"])?,
        action: Action::named(json["action"].as_str()?)?,
        state: state(&json["state"])?,
        since: time(&json["since"])?,
        busy: maybe(&json["busy_since"], time)?,
        next: maybe(&json["next"], next)?,
        blind: maybe(&json["blind"], blind)?,
        last_change: maybe(&json["last_change"], last_change)?,
        last_visit: maybe(&json["last_visit"], visit)?,
        visits: count(&json["visits"])?,
        changes: count(&json["changes"])?,
        drifted: count(&json["drifted"])?,
        repaired: count(&json["repaired"])?,
        failures: count(&json["failures"])?,
    })
}

fn state(json: &Json) -> Option<State> {
    Some(match json["word"].as_str()? {
        "waiting" => State::Waiting,
        "held" => State::Held,
        "failed" => State::Failed(trouble(&json["failure"])?),
        "ignored" => State::Ignored(trouble(&json["failure"])?),
        "blocked" => State::Blocked(resource(&json["by"])?),
        "differs" => {
            State::Differs { kind: change(&json["change"])?, properties: names(&json["properties"])? }
        }
        "left_alone" => State::LeftAlone(name(&json["reason"])?),
        _ => return None,
    })
}

fn trouble(json: &Json) -> Option<Arc<Trouble>> {
    let hint = maybe(&json["hint"], text)?;
    Some(Arc::new(Trouble { kind: name(&json["kind"])?, message: text(&json["message"])?, hint }))
}

fn next(json: &Json) -> Option<Next> {
    Some(Next { at: time(&json["at"])?, reason: text(&json["reason"])? })
}

fn blind(json: &Json) -> Option<Arc<Blind>> {
    Some(Arc::new(Blind { because: text(&json["because"])?, every: span(&json["every_ms"])? }))
}

fn last_change(json: &Json) -> Option<LastChange> {
    let (at, kind) = (time(&json["at"])?, change(&json["change"])?);
    Some(LastChange { at, kind, properties: names(&json["properties"])?, why: why(&json["why"])? })
}

fn visit(json: &Json) -> Option<Visit> {
    Some(Visit { at: time(&json["at"])?, took: span(&json["took_ms"])?, why: why(&json["why"])? })
}

fn happening(json: &Json) -> Option<Happening> {
    Some(Happening {
        at: time(&json["at"])?,
        resource: maybe(&json["resource"], resource)?,
        kind: happening_kind(json)?,
        why: maybe(&json["why"], why)?,
        took: maybe(&json["took_ms"], span)?,
    })
}

/// None for one that a later version tells, which is left out.
fn happening_kind(json: &Json) -> Option<HappeningKind> {
    let changed = || Some((change(&json["change"])?, names(&json["properties"])?));
    Some(match json["word"].as_str()? {
        "repaired" => changed().map(|(kind, properties)| HappeningKind::Repaired { kind, properties })?,
        "drifted" => changed().map(|(kind, properties)| HappeningKind::Drifted { kind, properties })?,
        "changed" => changed().map(|(kind, properties)| HappeningKind::Changed { kind, properties })?,
        "failed" => HappeningKind::Failed { message: text(&json["message"])? },
        "recovered" => HappeningKind::Recovered,
        "blind" => HappeningKind::Blind { because: text(&json["because"])? },
        "watching" => HappeningKind::Watching { resources: size(&json["resources"])? },
        "reports_lost" => HappeningKind::ReportsLost,
        "swapped" => HappeningKind::Swapped {
            generation: json["generation"].as_u64()?,
            kept: size(&json["kept"])?,
            visited: size(&json["visited"])?,
            left: size(&json["left"])?,
        },
        "reload_refused" => HappeningKind::ReloadRefused { message: text(&json["message"])? },
        _ => return None,
    })
}
