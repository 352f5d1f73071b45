//! Conversions of our types to those of the JSON formats.

use std::time::SystemTime;

use jiff::Timestamp;
use uphold::journal::LeftResource;
use uphold::model::{Diagnostic, DifferenceCause, Place, Value};
use uphold::resource::Level;
use uphold::{Cause, Change, Failure, Lines, Mode, Pause, Skip, Summary, Unwanted, Verdict, Wake};
use uphold_wire as wire;

use crate::CliError;

/// RFC 3339, in UTC. A time outside its range becomes the epoch.
pub(crate) fn timestamp(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

pub(crate) fn change(change: &Change) -> wire::Change {
    let word = |cause: DifferenceCause| cause.word().map(Into::into);
    let differences = change.differences.iter().enumerate().map(|(index, difference)| {
        let cause = word(change.causes.of(index));
        wire::Difference { cause, ..difference.into() }
    });
    wire::Change {
        cause: word(change.causes.whole),
        differences: differences.collect(),
        kind: change.kind.word().into(),
        unknown: change.unknown.iter().map(|name| (*name).into()).collect(),
    }
}

pub(crate) fn left(left: &[LeftResource]) -> Vec<wire::LeftResource> {
    let one = |LeftResource { kind, identity, address, refusal, .. }: &LeftResource| wire::LeftResource {
        address: address.clone(),
        identity: identity.clone(),
        kind: kind.clone(),
        refusal: refusal.clone(),
    };
    left.iter().map(one).collect()
}

pub(crate) fn failure(failure: &Failure, lines: &mut Lines<'_>) -> wire::Failure {
    wire::Failure {
        causes: failure.causes.clone(),
        differences: failure.differences.iter().map(Into::into).collect(),
        hint: failure.hint.clone(),
        kind: failure.kind.word().into(),
        message: failure.message.clone(),
        location: failure.place.map(|at| place(at, lines)),
    }
}

pub(crate) fn diagnostic(diagnostic: &Diagnostic, lines: &mut Lines<'_>) -> wire::Diagnostic {
    let related = diagnostic.related.iter();
    wire::Diagnostic {
        code: Some(diagnostic.code.id().to_owned()),
        detail: diagnostic.detail.clone(),
        fix: diagnostic.fix.clone(),
        related: related
            .map(|other| wire::Related { label: other.label.clone(), location: place(other.place, lines) })
            .collect(),
        location: diagnostic.place.map(|at| place(at, lines)),
        severity: wire::severity(diagnostic.severity()),
        summary: diagnostic.summary().to_owned(),
    }
}

/// An error without a position, as a diagnostic.
pub(crate) fn error(error: &CliError) -> wire::Diagnostic {
    let detail: Vec<&str> =
        std::iter::once(&error.message).chain(&error.causes).map(String::as_str).collect();
    wire::Diagnostic {
        code: None,
        detail: detail.join(": "),
        fix: error.hint.clone(),
        location: None,
        related: Vec::new(),
        severity: "error".into(),
        summary: "cannot run".to_owned(),
    }
}

pub(crate) fn place(place: Place, lines: &mut Lines<'_>) -> wire::Place {
    let at = lines.position(place);
    let Place { start, end, .. } = place;
    wire::Place { column: at.column, end, file: lines.name(place).to_owned(), line: at.line, start }
}

pub(crate) fn summary(summary: &Summary) -> wire::Summary {
    wire::Summary {
        changed: summary.changed,
        created: summary.created,
        differs: summary.differ,
        failed: summary.failed,
        ignored: summary.ignored,
        may_change: summary.may_change,
        ok: summary.ok,
        paused: summary.paused,
        put_back: summary.put_back,
        ran: summary.ran,
        removed: summary.removed,
        skipped: summary.skipped,
        skipped_by_condition: summary.not_wanted,
        updated: summary.updated,
    }
}

pub(crate) fn verdict(verdict: &Verdict, lines: &mut Lines<'_>) -> wire::Verdict {
    match verdict {
        Verdict::Unchanged => wire::Verdict::Unchanged,
        Verdict::Changed(made) => wire::Verdict::Changed { change: change(made) },
        Verdict::PutBack(made) => wire::Verdict::PutBack { change: change(made) },
        Verdict::WouldChange(planned) => wire::Verdict::WouldChange { change: change(planned) },
        Verdict::Differs(found) => wire::Verdict::Differs { change: change(found) },
        Verdict::Paused(found, pause) => {
            wire::Verdict::Paused { change: change(found), pause: self::pause(pause) }
        }
        Verdict::MayChange { waits_for, because, .. } => wire::Verdict::MayChange {
            waits_for: waits_for.to_string(),
            failure: because.as_ref().map(|because| failure(because, lines)),
        },
        Verdict::Failed(why) => wire::Verdict::Failed { failure: failure(why, lines) },
        Verdict::Ignored(why) => wire::Verdict::Ignored { failure: failure(why, lines) },
        Verdict::Skipped(why) => wire::Verdict::Skipped(skip(why)),
        Verdict::NotWanted(why) => {
            let condition = Some(unwanted(why));
            wire::Verdict::Skipped(wire::Skip {
                skip_reason: "condition".into(),
                condition,
                ..Default::default()
            })
        }
    }
}

fn pause(pause: &Pause) -> wire::Pause {
    wire::Pause { by: pause.by.clone(), reason: pause.reason.clone(), until: pause.until }
}

fn skip(why: &Skip) -> wire::Skip {
    let reason = |word: &'static str| wire::Skip { skip_reason: word.into(), ..Default::default() };
    match why {
        Skip::FailedBefore(root) => {
            wire::Skip { failed_dependency: Some(root.into()), ..reason("dependency_failed") }
        }
        Skip::Stopped => reason("stopped"),
        Skip::TooManyFailures => reason("too_many_failures"),
        Skip::TooManyChanges => reason("too_many_changes"),
        Skip::NotAsPlanned(what) => {
            wire::Skip { not_as_planned: Some(what.to_string()), ..reason("not_as_planned") }
        }
    }
}

fn unwanted(why: &Unwanted) -> wire::Unwanted {
    let reason = |word: &'static str| wire::Unwanted { reason: word.into(), ..Default::default() };
    match why {
        Unwanted::When => reason("when"),
        Unwanted::Guard { word, command, of_group } => wire::Unwanted {
            command: Some(command.clone()),
            of_group: Some(*of_group),
            reason: (*word).into(),
        },
        Unwanted::NothingChanged => reason("nothing_changed"),
        Unwanted::RunFailed => reason("run_failed"),
    }
}

pub(crate) fn cause(cause: &Cause) -> wire::Cause {
    let reason = |word: &'static str| wire::Cause { reason: word.into(), ..Default::default() };
    match cause {
        Cause::Written => reason("declared"),
        Cause::Notified { by, moment } => wire::Cause {
            by: Some((&by.first).into()),
            also_by: by.others().iter().map(Into::into).collect(),
            more: by.more(),
            timing: Some(moment.word().into()),
            ..reason("notified")
        },
        Cause::Pending { by, .. } => wire::Cause { subject: Some(by.to_string()), ..reason("pending") },
        Cause::Woken(wake) => match wake {
            Wake::Reported(what) => wire::Cause { subject: Some(what.to_string()), ..reason(wake.word()) },
            Wake::Received(by) | Wake::Freed(by) | Wake::Subscribed(by) => {
                wire::Cause { by: Some(by.into()), ..reason(wake.word()) }
            }
            _ => reason(wake.word()),
        },
    }
}

pub(crate) fn output(name: &str, value: &Result<Value, Box<Failure>>, lines: &mut Lines<'_>) -> wire::Output {
    match value {
        Ok(value) => wire::Output::of(name, value),
        Err(why) => wire::Output::failed(name, failure(why, lines)),
    }
}

pub(crate) fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Apply => "apply",
    }
}

pub(crate) fn level(level: Level) -> wire::stream::Level {
    match level {
        Level::Debug => wire::stream::Level::Debug,
        Level::Info => wire::stream::Level::Info,
        Level::Warning => wire::stream::Level::Warn,
    }
}
