//! From our types to JSON.

use std::io::{self, Write};

use serde_json::{Map, Value as Json, json};
use uphold_model::{Name, ResourceId};

use super::word::{FORMAT_VERSION, change, milliseconds, time};
use crate::happening::{Happening, HappeningKind};
use crate::snapshot::{
    Blind, LastChange, Next, Overview, Phase, Refusal, ResourceStatus, Snapshot, State, Trouble, Visit, Why,
};
use crate::totals::Totals;

impl Snapshot {
    /// Writes it as one line of JSON, an object of the type `status`. It is never in memory as a whole: a tree of JSON
    /// takes ten times as much as what it tells.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut head = self.overview.to_json();
        head["type"] = "status".into();
        let head = head.to_string();
        // An object ends in a brace, before which there is room for one more field.
        out.write_all(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
        out.write_all(b",\"resources\":[")?;
        for (at, status) in self.resources.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(out, "{comma}{}", status.to_json())?;
        }
        out.write_all(b"]}\n")
    }
}

impl Overview {
    /// As one JSON object of the type `overview`.
    pub fn to_json(&self) -> Json {
        let refusal = |refusal: &Refusal| json!({ "at": time(refusal.at), "message": refusal.message });
        json!({
            "type": "overview",
            "format_version": FORMAT_VERSION,
            "pid": self.pid,
            "began": time(self.began),
            "phase": phase(self.phase),
            "generation": self.generation,
            "swapped": self.swapped.map(time),
            "refused": self.refused.as_ref().map(refusal),
            "totals": totals(&self.totals),
            "troubles": self.troubles.iter().map(ResourceStatus::to_json).collect::<Json>(),
            "more_troubles": self.more_troubles,
            "busy": self.busy.iter().map(ResourceStatus::to_json).collect::<Json>(),
            "happenings": self.happenings.iter().map(|happening| happening.to_json()).collect::<Json>(),
        })
    }
}

fn phase(phase: Phase) -> Json {
    match phase {
        Phase::Starting => json!({ "word": "starting" }),
        Phase::Converging { done, of } => json!({ "word": "converging", "done": done, "of": of }),
        Phase::Watching { since } => json!({ "word": "watching", "since": time(since) }),
    }
}

/// Each number under its name.
pub(super) fn totals(totals: &Totals) -> Json {
    let now = [
        ("all", totals.all),
        ("waiting", totals.waiting),
        ("held", totals.held),
        ("failed", totals.failed),
        ("ignored", totals.ignored),
        ("blocked", totals.blocked),
        ("differ", totals.differ),
        ("left_alone", totals.left_alone),
        ("busy", totals.busy),
        ("pending", totals.pending),
        ("blind", totals.blind),
    ];
    let ever = [
        ("visits", totals.visits),
        ("changes", totals.changes),
        ("failures", totals.failures),
        ("drifted", totals.drifted),
        ("repaired", totals.repaired),
        ("reports_lost", totals.reports_lost),
        ("swaps", totals.swaps),
        ("refusals", totals.refusals),
    ];
    let now = now.into_iter().map(|(name, count)| (name.to_owned(), Json::from(count)));
    let ever = ever.into_iter().map(|(name, count)| (name.to_owned(), Json::from(count)));
    Json::Object(now.chain(ever).collect::<Map<_, _>>())
}

/// `{kind, name, address}`, and where there is one, the call of its module and its key.
fn resource(id: &ResourceId) -> Json {
    let mut json = json!({ "kind": &*id.kind, "name": &*id.name, "address": id.to_string() });
    for (name, part) in [("module", id.module()), ("key", id.key())] {
        if let Some(part) = part {
            json[name] = Json::from(&**part);
        }
    }
    json
}

fn names(names: &[Name]) -> Json {
    names.iter().map(|name| Json::from(&**name)).collect()
}

fn why(why: &Why) -> Json {
    json!({ "reason": &*why.word, "text": why.text })
}

impl ResourceStatus {
    /// As one JSON object.
    pub fn to_json(&self) -> Json {
        json!({
            "resource": resource(&self.resource),
            "action": self.action.word(),
            "state": state(&self.state),
            "since": time(self.since),
            "busy_since": self.busy.map(time),
            "next": self.next.as_ref().map(next),
            "blind": self.blind.as_deref().map(blind),
            "last_change": self.last_change.as_ref().map(last_change),
            "last_visit": self.last_visit.as_ref().map(visit),
            "visits": self.visits,
            "changes": self.changes,
            "drifted": self.drifted,
            "repaired": self.repaired,
            "failures": self.failures,
        })
    }
}

fn state(state: &State) -> Json {
    let mut json = json!({ "word": state.word(), "text": state.to_string() });
    match state {
        State::Waiting | State::Held => {}
        State::Failed(found) | State::Ignored(found) => json["failure"] = trouble(found),
        State::Blocked(by) => json["by"] = resource(by),
        State::Differs { kind, properties } => {
            json["change"] = change(*kind).into();
            json["properties"] = names(properties);
        }
        State::LeftAlone(reason) => json["reason"] = Json::from(&**reason),
    }
    json
}

fn trouble(trouble: &Trouble) -> Json {
    json!({ "kind": &*trouble.kind, "message": trouble.message, "hint": trouble.hint })
}

fn next(next: &Next) -> Json {
    json!({ "at": time(next.at), "reason": next.reason })
}

fn blind(blind: &Blind) -> Json {
    json!({ "because": blind.because, "every_ms": milliseconds(blind.every) })
}

fn last_change(made: &LastChange) -> Json {
    json!({
        "at": time(made.at),
        "change": change(made.kind),
        "properties": names(&made.properties),
        "why": why(&made.why),
    })
}

fn visit(visit: &Visit) -> Json {
    json!({ "at": time(visit.at), "took_ms": milliseconds(visit.took), "why": why(&visit.why) })
}

impl Happening {
    /// As one JSON object.
    pub fn to_json(&self) -> Json {
        let mut json = json!({
            "at": time(self.at),
            "word": self.kind.word(),
            "resource": self.resource.as_ref().map(resource),
            "why": self.why.as_ref().map(why),
            "took_ms": self.took.map(milliseconds),
        });
        for (name, value) in details(&self.kind) {
            json[name] = value;
        }
        json
    }
}

fn details(kind: &HappeningKind) -> Vec<(&'static str, Json)> {
    match kind {
        HappeningKind::Repaired { kind, properties }
        | HappeningKind::Drifted { kind, properties }
        | HappeningKind::Changed { kind, properties } => {
            vec![("change", change(*kind).into()), ("properties", names(properties))]
        }
        HappeningKind::Failed { message } | HappeningKind::ReloadRefused { message } => {
            vec![("message", message.as_str().into())]
        }
        HappeningKind::Blind { because } => vec![("because", because.as_str().into())],
        HappeningKind::Watching { resources } => vec![("resources", (*resources).into())],
        HappeningKind::Swapped { generation, kept, visited, left } => vec![
            ("generation", (*generation).into()),
            ("kept", (*kept).into()),
            ("visited", (*visited).into()),
            ("left", (*left).into()),
        ],
        HappeningKind::Recovered | HappeningKind::ReportsLost => vec![],
    }
}
