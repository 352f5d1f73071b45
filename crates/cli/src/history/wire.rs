//! Recorded runs as JSON.

use uphold::journal::{Action, Run, RunState, Side, Who};
use uphold_wire::history::{HistoryAction, HistoryDifference, HistoryRun, StartedBy};
use uphold_wire::{Format as _, Value};

use super::page::value;

/// A run as a line of JSON.
pub(crate) fn wire(run: &Run) -> HistoryRun {
    let (begin, end) = (&run.begin, run.end.as_ref());
    let Who { user, sudo, terminal, unit, remote } = begin.who.clone();
    HistoryRun {
        format_version: HistoryRun::VERSION,
        run: begin.run,
        mode: begin.mode.clone(),
        state: match run.state {
            RunState::Ended => "ended",
            RunState::Running => "running",
            RunState::Interrupted => "interrupted",
        }
        .to_owned(),
        started_at: begin.time.to_string(),
        ended_at: end.map(|end| end.time.to_string()),
        started_by: StartedBy { user, sudo, terminal, unit, remote },
        root: begin.root.clone(),
        paths: begin.paths.clone(),
        digest: Some(begin.digest.clone()).filter(|digest| !digest.is_empty()),
        commit: begin.commit.clone(),
        clean: end.and_then(|end| end.clean),
        params: begin.params.clone(),
        undoes: begin.undoes,
        uphold: begin.version.clone(),
        counts: end.map(|end| end.counts.clone()).unwrap_or_default(),
        pending: end.map(|end| end.due).filter(|due| *due > 0),
        actions: run.actions.iter().map(action).collect(),
    }
}

fn action(action: &Action) -> HistoryAction {
    let (begin, end) = (&action.begin, action.end.as_ref());
    let differences = begin.differences.iter().map(|one| HistoryDifference {
        property: one.property.clone(),
        from: side(&one.from),
        to: side(&one.to),
        cause: one.cause.clone(),
    });
    HistoryAction {
        address: begin.address.clone(),
        action: begin.action.clone(),
        started_at: begin.time.to_string(),
        differences: differences.collect(),
        verdict: end.map(|end| end.verdict.to_string()),
        elapsed_ms: end.map(|end| end.ms),
        because: end.and_then(|end| end.why.clone()),
        error: end.and_then(|end| end.error.clone()),
    }
}

fn side(side: &Side) -> Value {
    match side {
        Side::Digest { highway, size } => {
            let size = i64::try_from(*size).unwrap_or(i64::MAX);
            let members = [("highway", Value::Text(highway.as_str().into())), ("size", Value::Int(size))];
            Value::Map(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
        }
        side => value(side).map_or(Value::Null, |value| Value::from(&value).with_words()),
    }
}
