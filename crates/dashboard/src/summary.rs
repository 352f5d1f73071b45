//! Describes resources and events in a few words.

use std::borrow::Cow;
use std::time::SystemTime;

use uphold::ChangeKind;
use uphold::model::{Name, ResourceId};
use uphold_status::{Phase, RecentEvent, ResourceStatus, State, WatchEventKind};

use crate::number::{counted, grouped, span, whole};
use crate::theme::Tone;

/// A word and a text that describe a resource or an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The word.
    pub(crate) word: &'static str,
    /// Its colour.
    pub(crate) tone: Tone,
    /// The details.
    pub(crate) text: String,
}

impl Summary {
    fn new(word: &'static str, tone: Tone, text: impl Into<String>) -> Self {
        Self { word, tone, text: text.into() }
    }
}

/// The summary of an event and its cause, without its time and resource.
pub(crate) fn happening(happening: &RecentEvent) -> Summary {
    let mut summary = happened(&happening.kind);
    // The reason of the visit is not the cause of a failure, which its message states.
    let is_failure = matches!(happening.kind, WatchEventKind::Failed { .. });
    if let Some(cause) = happening.cause.as_ref().filter(|_| !is_failure) {
        summary.text += if summary.text.is_empty() { "because " } else { ", because " };
        summary.text += &reason(&cause.message, happening.resource.as_ref());
    }
    summary
}

/// The cause, with `it` in place of the resource's own name.
fn reason<'a>(text: &'a str, resource: Option<&ResourceId>) -> Cow<'a, str> {
    let own = resource.and_then(|resource| text.strip_prefix(&**resource.label()));
    match own {
        Some(rest) if rest.starts_with(' ') => Cow::Owned(format!("it{rest}")),
        _ => Cow::Borrowed(text),
    }
}

fn happened(kind: &WatchEventKind) -> Summary {
    match kind {
        WatchEventKind::Repaired { change: kind, properties } => {
            Summary::new("repaired", Tone::Change, change(*kind, properties))
        }
        WatchEventKind::Drifted { change: kind, properties } => {
            Summary::new("drifted", Tone::Warning, format!("{} (audit only)", change(*kind, properties)))
        }
        WatchEventKind::Changed { change: kind, properties } => {
            Summary::new("changed", Tone::Change, change(*kind, properties))
        }
        WatchEventKind::Failed { message } => Summary::new("failed", Tone::Bad, message),
        WatchEventKind::Recovered => Summary::new("recovered", Tone::Good, ""),
        WatchEventKind::Polling { reason } => Summary::new("polling", Tone::Warning, reason),
        WatchEventKind::Watching { resources } => {
            Summary::new("watching", Tone::Info, counted(*resources, "resource", "resources"))
        }
        WatchEventKind::EventsLost => {
            Summary::new("lost", Tone::Warning, "change events were lost; everything is checked again")
        }
        WatchEventKind::ConfigurationReloaded { visited, unchanged, no_longer_declared, .. } => {
            let [visited, kept, left] =
                [visited, unchanged, no_longer_declared].map(|number| grouped(*number));
            let text = format!("{visited} new or different, {kept} unchanged, {left} no longer declared");
            Summary::new("reloaded", Tone::Info, text)
        }
        WatchEventKind::ReloadFailed { message } => Summary::new("refused", Tone::Bad, first_line(message)),
    }
}

/// `content, mode`, or the change of the whole resource.
pub(crate) fn change(kind: ChangeKind, properties: &[Name]) -> String {
    match kind {
        ChangeKind::Create => "created".to_owned(),
        ChangeKind::Remove => "removed".to_owned(),
        ChangeKind::Run => "ran".to_owned(),
        ChangeKind::Update if properties.is_empty() => "updated".to_owned(),
        ChangeKind::Update => properties.join(", "),
    }
}

/// The summary of the state of a resource.
pub(crate) fn status(status: &ResourceStatus) -> Summary {
    let mut summary = state(&status.state);
    match (&status.polling, &status.state) {
        (Some(polling), State::Held) => summary = Summary::new("polled", Tone::Warning, &polling.reason),
        (_, State::Waiting | State::Held) if status.busy_since.is_some() => summary.word = "busy",
        _ => {}
    }
    summary
}

fn state(state: &State) -> Summary {
    match state {
        State::Waiting => Summary::new("unvisited", Tone::Plain, ""),
        State::Held => Summary::new("ok", Tone::Good, ""),
        State::Failed(trouble) => Summary::new("failed", Tone::Bad, &trouble.message),
        State::Ignored(trouble) => Summary::new("ignored", Tone::Warning, &trouble.message),
        State::Blocked(by) => Summary::new("blocked", Tone::Warning, format!("{by} failed")),
        State::Differs { kind, properties } => {
            Summary::new("differs", Tone::Warning, format!("{} (audit only)", needed(*kind, properties)))
        }
        State::Paused { kind, properties, pause } => {
            let reason = pause.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            let text = format!("{} (by {}{reason})", needed(*kind, properties), pause.by);
            Summary::new("paused", Tone::Warning, text)
        }
        State::LeftAlone(reason) => Summary::new("skipped", Tone::Plain, &**reason),
    }
}

/// The change that the resource needs.
fn needed(kind: ChangeKind, properties: &[Name]) -> String {
    match kind {
        ChangeKind::Create => "missing".to_owned(),
        ChangeKind::Remove => "still exists".to_owned(),
        ChangeKind::Run => "would run".to_owned(),
        ChangeKind::Update if properties.is_empty() => "differs".to_owned(),
        ChangeKind::Update => properties.join(", "),
    }
}

/// When the resource is visited again, if that is planned: `next attempt in 12 s`.
pub(crate) fn next(status: &ResourceStatus, now: SystemTime) -> Option<String> {
    let next = status.next_attempt.as_ref().map(|next| match next.at.duration_since(now) {
        Ok(left) if left.as_secs() > 0 => format!("next attempt in {}", whole(left)),
        _ => "next attempt now".to_owned(),
    });
    next.or_else(|| status.polling.as_ref().map(|polling| format!("every {}", span(polling.interval))))
}

/// The phase of the watch, without the progress bar.
pub(crate) fn phase(phase: Phase, all: usize, now: SystemTime) -> String {
    match phase {
        Phase::Starting => "starting".to_owned(),
        Phase::Converging { done, of } => format!("applying {}/{}", grouped(done), grouped(of)),
        Phase::Watching { since } => {
            let all = counted(all, "resource", "resources");
            format!("watching {all} for {}", whole(now.duration_since(since).unwrap_or_default()))
        }
    }
}

/// The first line that is not empty.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use uphold_status::Why;

    use super::*;

    fn check(kind: WatchEventKind, why: &str, expected: &str) {
        let cause =
            (!why.is_empty()).then(|| Why { reason: "change_detected".into(), message: why.to_owned() });
        let resource = Some(ResourceId::new("file", "/x"));
        let summary =
            happening(&RecentEvent { at: SystemTime::UNIX_EPOCH, resource, kind, cause, duration: None });
        assert_eq!(format!("{} {}", summary.word, summary.text), expected);
    }

    #[test]
    fn describes_events_with_their_cause() {
        let (update, create) = (ChangeKind::Update, ChangeKind::Create);
        let names = |names: &[&str]| names.iter().copied().map(Name::from).collect();
        let two = names(&["content", "mode"]);
        check(
            WatchEventKind::Repaired { change: update, properties: two },
            "/x changed",
            "repaired content, mode, because it changed",
        );
        let new = WatchEventKind::Repaired { change: create, properties: names(&["content"]) };
        check(new, "/x/y changed", "repaired created, because /x/y changed");
        let failed = WatchEventKind::Failed { message: "no route".to_owned() };
        check(failed, "/x changed", "failed no route");
        let audited = WatchEventKind::Drifted { change: update, properties: names(&[]) };
        check(audited, "", "drifted updated (audit only)");
        check(WatchEventKind::Recovered, "it failed before", "recovered because it failed before");
        check(WatchEventKind::Watching { resources: 1 }, "", "watching 1 resource");
        let swapped = WatchEventKind::ConfigurationReloaded {
            generation: 2,
            unchanged: 1_230,
            visited: 4,
            no_longer_declared: 0,
        };
        check(swapped, "", "reloaded 4 new or different, 1,230 unchanged, 0 no longer declared");
        let refused =
            WatchEventKind::ReloadFailed { message: "\nerror: no such kind\n --> a.hcl".to_owned() };
        check(refused, "", "refused error: no such kind");
    }
}
