//! What became of an action: the same in the stream and in a report.

use uphold::model::Value;
use uphold::{Cause, Failure, Lines, Mode, Skip, Unwanted, Verdict, Wake};
use uphold_wire as wire;

use super::wire::{change, failure};

/// A verdict with its data.
pub(crate) fn verdict(verdict: &Verdict, lines: &mut Lines<'_>) -> wire::Verdict {
    match verdict {
        Verdict::Unchanged => wire::Verdict::Unchanged,
        Verdict::Changed(made) => wire::Verdict::Changed { change: change(made) },
        Verdict::WouldChange(planned) => wire::Verdict::WouldChange { change: change(planned) },
        Verdict::Differs(found) => wire::Verdict::Differs { change: change(found) },
        Verdict::MayChange { waits_for, because, .. } => wire::Verdict::MayChange {
            waits_for: waits_for.to_string(),
            failure: because.as_ref().map(|because| failure(because, lines)),
        },
        Verdict::Failed(why) => wire::Verdict::Failed { failure: failure(why, lines) },
        Verdict::Ignored(why) => wire::Verdict::Ignored { failure: failure(why, lines) },
        Verdict::Skipped(why) => wire::Verdict::Skipped(skip(why)),
        Verdict::NotWanted(why) => wire::Verdict::NotWanted { not_wanted_because: unwanted(why) },
    }
}

fn skip(why: &Skip) -> wire::Skip {
    let reason = |word: &'static str| wire::Skip { skip_reason: word.into(), ..Default::default() };
    match why {
        Skip::FailedBefore(root) => {
            wire::Skip { skipped_because: Some(root.into()), ..reason("failed_before") }
        }
        Skip::Stopped => wire::Skip { stopped: Some(true), ..reason("stopped") },
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

/// Why an action is done.
pub(crate) fn cause(cause: &Cause) -> wire::Cause {
    let reason = |word: &'static str| wire::Cause { reason: word.into(), ..Default::default() };
    match cause {
        Cause::Written => reason("written"),
        Cause::Notified { by, moment } => {
            wire::Cause { by: Some(by.into()), moment: Some(moment.word().into()), ..reason("notified") }
        }
        Cause::Woken(wake) => match wake {
            Wake::Reported(what) => wire::Cause { what: Some(what.to_string()), ..reason(wake.word()) },
            Wake::Received(by) | Wake::Freed(by) | Wake::Subscribed(by) => {
                wire::Cause { by: Some(by.into()), ..reason(wake.word()) }
            }
            _ => reason(wake.word()),
        },
    }
}

/// A value is there, in part or as a whole unknown or secret, or it could not be had.
pub(crate) fn output(name: &str, value: &Result<Value, Box<Failure>>, lines: &mut Lines<'_>) -> wire::Output {
    match value {
        Ok(value) => wire::Output::of(name, value),
        Err(why) => wire::Output::failed(name, failure(why, lines)),
    }
}

/// Plan or apply.
pub(crate) fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Apply => "apply",
    }
}
