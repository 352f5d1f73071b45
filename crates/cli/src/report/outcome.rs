//! What became of an action, as fields of JSON: the same in the stream and in a report.

use serde_json::{Value as Json, json};
use uphold::model::Value;
use uphold::{Cause, Failure, Mode, Skip, Unwanted, Verdict, Wake};

use super::wire;
use crate::lines::Lines;

/// Fields of an object, in order.
pub(crate) type Fields = Vec<(&'static str, Json)>;

/// The name of a verdict, and its data.
pub(crate) fn verdict(verdict: &Verdict, lines: &mut Lines<'_>) -> Fields {
    let (name, data) = match verdict {
        Verdict::Unchanged => ("unchanged", vec![]),
        Verdict::Changed(change) => ("changed", vec![("change", wire::change(change))]),
        Verdict::WouldChange(change) => ("would_change", vec![("change", wire::change(change))]),
        Verdict::Differs(change) => ("differs", vec![("change", wire::change(change))]),
        Verdict::MayChange { waits_for, because } => {
            let failure = because.as_ref().map(|failure| ("failure", wire::failure(failure, lines)));
            ("may_change", [("waits_for", Json::from(&**waits_for))].into_iter().chain(failure).collect())
        }
        Verdict::Failed(failure) => ("failed", vec![("failure", wire::failure(failure, lines))]),
        Verdict::Ignored(failure) => ("ignored", vec![("failure", wire::failure(failure, lines))]),
        Verdict::Skipped(why) => ("skipped", skip(why)),
        Verdict::NotWanted(why) => ("not_wanted", vec![("not_wanted_because", unwanted(why))]),
    };
    [("verdict", Json::from(name))].into_iter().chain(data).collect()
}

fn skip(why: &Skip) -> Fields {
    let reason = |word: &str| ("skip_reason", Json::from(word));
    match why {
        Skip::FailedBefore(root) => vec![reason("failed_before"), ("skipped_because", wire::resource(root))],
        Skip::Stopped => vec![reason("stopped"), ("stopped", Json::Bool(true))],
        Skip::TooManyFailures => vec![reason("too_many_failures")],
        Skip::TooManyChanges => vec![reason("too_many_changes")],
        Skip::NotAsPlanned(what) => vec![reason("not_as_planned"), ("not_as_planned", Json::from(&**what))],
    }
}

fn unwanted(why: &Unwanted) -> Json {
    match why {
        Unwanted::When => json!({ "reason": "when" }),
        Unwanted::Guard { word, command, of_group } => {
            json!({ "reason": word, "command": command, "of_group": of_group })
        }
        Unwanted::NothingChanged => json!({ "reason": "nothing_changed" }),
        Unwanted::RunFailed => json!({ "reason": "run_failed" }),
    }
}

/// Why an action is done.
pub(crate) fn cause(cause: &Cause) -> Json {
    match cause {
        Cause::Written => json!({ "reason": "written" }),
        Cause::Notified { by, moment } => {
            json!({ "reason": "notified", "by": wire::resource(by), "moment": moment.word() })
        }
        Cause::Woken(wake) => woken(wake),
    }
}

fn woken(wake: &Wake) -> Json {
    match wake {
        Wake::Reported(what) => json!({ "reason": wake.word(), "what": what.to_string() }),
        Wake::Received(by) | Wake::Freed(by) | Wake::Subscribed(by) => {
            json!({ "reason": wake.word(), "by": wire::resource(by) })
        }
        _ => json!({ "reason": wake.word() }),
    }
}

/// A value is there, in part or as a whole unknown or secret, or it could not be had.
pub(crate) fn output(name: &str, value: &Result<Value, Box<Failure>>, lines: &mut Lines<'_>) -> Fields {
    let name = ("name", Json::from(name));
    match value {
        Ok(value) => vec![
            name,
            ("value", wire::value(value)),
            ("sensitive", value.is_sensitive().into()),
            ("unknown", value.is_unknown().into()),
            ("waits_for", wire::waits_for(value).into()),
        ],
        Err(failure) => vec![name, ("failure", wire::failure(failure, lines))],
    }
}

/// Plan or apply.
pub(crate) fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Apply => "apply",
    }
}
