//! From our types to those of the protocol.

use std::io::{self, Write};

use uphold_model::Name;
use uphold_wire::status as wire;

use super::word::{change, milliseconds, time};
use crate::happening::{Happening, HappeningKind};
use crate::snapshot::{Overview, Phase, ResourceStatus, Snapshot, State, Trouble, Why};

impl Snapshot {
    /// Writes it as one line of JSON, an object of the type `status`. Resources are converted one by one, so that it is
    /// never in memory as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let head =
            serde_json::to_string(&wire::Status { r#type: "status".into(), ..self.overview.to_wire() })?;
        // An object ends in a brace, before which there is room for one more field.
        out.write_all(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
        out.write_all(b",\"resources\":[")?;
        for (at, status) in self.resources.iter().enumerate() {
            if at > 0 {
                out.write_all(b",")?;
            }
            serde_json::to_writer(&mut *out, &status.to_wire())?;
        }
        out.write_all(b"]}\n")
    }
}

impl Overview {
    /// As an answer of the type `overview`.
    pub fn to_wire(&self) -> wire::Status {
        let all = |of: &[ResourceStatus]| of.iter().map(ResourceStatus::to_wire).collect();
        wire::Status {
            began: time(self.began),
            busy: all(&self.busy),
            format_version: wire::VERSION,
            generation: self.generation,
            happenings: self.happenings.iter().map(|happening| happening.to_wire()).collect(),
            more_troubles: self.more_troubles,
            phase: phase(self.phase),
            pid: self.pid,
            refused: self
                .refused
                .as_ref()
                .map(|refusal| wire::Refusal { at: time(refusal.at), message: refusal.message.clone() }),
            swapped: self.swapped.map(time),
            totals: self.totals,
            troubles: all(&self.troubles),
            r#type: "overview".into(),
            resources: None,
        }
    }
}

fn phase(phase: Phase) -> wire::Phase {
    let word = |word: &'static str| wire::Phase { word: word.into(), ..Default::default() };
    match phase {
        Phase::Starting => word("starting"),
        Phase::Converging { done, of } => {
            wire::Phase { done: Some(done), of: Some(of), ..word("converging") }
        }
        Phase::Watching { since } => wire::Phase { since: Some(time(since)), ..word("watching") },
    }
}

fn names(names: &[Name]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn why(why: &Why) -> wire::Why {
    wire::Why { reason: why.word.to_string(), text: why.text.clone() }
}

impl ResourceStatus {
    /// As the protocol has it.
    pub fn to_wire(&self) -> wire::ResourceStatus {
        wire::ResourceStatus {
            action: self.action.word().to_owned(),
            blind: self.blind.as_ref().map(|blind| wire::Blind {
                because: blind.because.clone(),
                every_ms: milliseconds(blind.every),
            }),
            busy_since: self.busy.map(time),
            changes: self.changes,
            drifted: self.drifted,
            failures: self.failures,
            last_change: self.last_change.as_ref().map(|made| wire::LastChange {
                at: time(made.at),
                change: change(made.kind).into(),
                properties: names(&made.properties),
                why: why(&made.why),
            }),
            last_visit: self.last_visit.as_ref().map(|visit| wire::Visit {
                at: time(visit.at),
                took_ms: milliseconds(visit.took),
                why: why(&visit.why),
            }),
            next: self
                .next
                .as_ref()
                .map(|next| wire::Next { at: time(next.at), reason: next.reason.clone() }),
            repaired: self.repaired,
            resource: (&self.resource).into(),
            since: time(self.since),
            state: state(&self.state),
            visits: self.visits,
        }
    }
}

fn state(state: &State) -> wire::State {
    let plain = wire::State { word: state.word().into(), text: state.to_string(), ..Default::default() };
    match state {
        State::Waiting | State::Held => plain,
        State::Failed(found) | State::Ignored(found) => {
            wire::State { failure: Some(trouble(found)), ..plain }
        }
        State::Blocked(by) => wire::State { by: Some(by.into()), ..plain },
        State::Differs { kind, properties } => {
            wire::State { change: Some(change(*kind).into()), properties: Some(names(properties)), ..plain }
        }
        State::LeftAlone(reason) => wire::State { reason: Some(reason.to_string()), ..plain },
    }
}

fn trouble(trouble: &Trouble) -> wire::Trouble {
    let Trouble { kind, message, hint } = trouble;
    wire::Trouble { hint: hint.clone(), kind: kind.to_string(), message: message.clone() }
}

impl Happening {
    /// As the protocol has it.
    pub fn to_wire(&self) -> wire::Happening {
        let plain = wire::Happening {
            at: time(self.at),
            word: self.kind.word().into(),
            resource: self.resource.as_ref().map(Into::into),
            why: self.why.as_ref().map(why),
            took_ms: self.took.map(milliseconds),
            ..Default::default()
        };
        match &self.kind {
            HappeningKind::Repaired { kind, properties }
            | HappeningKind::Drifted { kind, properties }
            | HappeningKind::Changed { kind, properties } => wire::Happening {
                change: Some(change(*kind).into()),
                properties: Some(names(properties)),
                ..plain
            },
            HappeningKind::Failed { message } | HappeningKind::ReloadRefused { message } => {
                wire::Happening { message: Some(message.clone()), ..plain }
            }
            HappeningKind::Blind { because } => wire::Happening { because: Some(because.clone()), ..plain },
            HappeningKind::Watching { resources } => wire::Happening { resources: Some(*resources), ..plain },
            HappeningKind::Swapped { generation, kept, visited, left } => wire::Happening {
                generation: Some(*generation),
                kept: Some(*kept),
                visited: Some(*visited),
                left: Some(*left),
                ..plain
            },
            HappeningKind::Recovered | HappeningKind::ReportsLost => plain,
        }
    }
}
