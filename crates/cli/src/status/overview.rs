//! The overview: totals, problems and recent events, on one screen.

use std::fmt::Write;
use std::sync::Arc;

use uphold::model::ChangeKind;
use uphold_status::{Overview, Phase, RecentEvent, ResourceStatus, State, WatchEventKind};

use super::{one_line, sign};
use crate::diagnostics::count;
use crate::report::watch_text;
use crate::time_text::{self, Now};
use crate::{Paint, clean};

/// The number of problems that fit on a screen with the rest.
const TROUBLES: usize = 8;

/// The number of recent events that fit on a screen with the rest.
const EVENTS: usize = 10;

/// The whole overview; every line ends with a line break.
pub(crate) fn overview(overview: &Overview, now: &Now, paint: Paint) -> String {
    let mut text = head(overview, now, paint);
    text += &totals(overview, paint);
    if let Some(refusal) = &overview.reload_error {
        let at = now.clock(refusal.at);
        let message = clean(&refusal.message);
        let _ = writeln!(
            text,
            "{}: refused at {at}: {message}",
            paint.error("the configuration on disk is not in force")
        );
    }
    text += &troubles(overview, now, paint);
    text += &busy(overview, now, paint);
    text + &recent_events(&overview.events, now, paint)
}

fn head(overview: &Overview, now: &Now, paint: Paint) -> String {
    let phase = match overview.phase {
        Phase::Starting => "starting".to_owned(),
        Phase::Converging { done, of } => format!("applying: {done} of {of} visited"),
        Phase::Watching { since } => format!("watching since {} ({})", now.clock(since), now.since(since)),
    };
    let since = |at| format!("; configuration {} since {}", overview.generation, now.clock(at));
    let generation = overview.reloaded_at.map(since).unwrap_or_default();
    format!("{}; pid {}{generation}\n", paint.strong(phase), overview.pid)
}

fn totals(overview: &Overview, paint: Paint) -> String {
    let totals = &overview.totals;
    let bad = [(totals.failed, "failed"), (totals.blocked, "blocked")];
    let odd = [(totals.differs, "differ"), (totals.paused, "paused"), (totals.polled, "cannot be watched")];
    let other = [
        (totals.ignored, "failed, which is ignored"),
        (totals.skipped, "skipped by a condition"),
        (totals.not_visited, "not checked yet"),
        (totals.busy, "busy"),
    ];
    let text = |(number, word): &(usize, &str)| (*number > 0).then(|| format!("{number} {word}"));
    let bad = bad.iter().filter_map(text).map(|words| paint.error(words).to_string());
    let odd = odd.iter().filter_map(text).map(|words| paint.changed(words).to_string());
    let other = other.iter().filter_map(text);
    let as_declared = [paint.added(format!("{} as declared", totals.ok)).to_string()];
    let now: Vec<String> = as_declared.into_iter().chain(bad).chain(odd).chain(other).collect();
    let drift = match totals.drifted {
        0 => "nothing has drifted".to_owned(),
        times => format!("{times} drifted, {} repaired", totals.repaired),
    };
    format!("{}; {drift}\n", now.join(", "))
}

/// Problems and their next attempts.
fn troubles(overview: &Overview, now: &Now, paint: Paint) -> String {
    if overview.problems.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.strong("Problems"));
    let mut worst: Vec<&ResourceStatus> = overview.problems.iter().collect();
    worst.sort_by_key(|status| weight(status));
    for status in worst.iter().take(TROUBLES) {
        text += &trouble(status, now, paint);
    }
    let more = overview.more_problems + worst.len().saturating_sub(TROUBLES);
    if more > 0 {
        let _ = writeln!(
            text,
            "  {}",
            paint.faint(format!("and {more} more; `uphold status --all` lists all resources"))
        );
    }
    text
}

/// Sorts root causes before the resources that they block.
fn weight(status: &ResourceStatus) -> u8 {
    match status.state {
        State::Failed(_) => 0,
        State::Differs { .. } | State::Paused { .. } => 1,
        State::Blocked(_) => 2,
        _ => 3,
    }
}

fn trouble(status: &ResourceStatus, now: &Now, paint: Paint) -> String {
    let name = status.resource.to_string();
    let words = match (&status.state, &status.polling) {
        (State::Paused { pause, .. }, _) => now.paused(pause.until, &pause.by, pause.reason.as_deref()),
        (state, None) => state.to_string(),
        (state, Some(polling)) if state.is_trouble() => {
            format!("{state}; cannot be watched: {}", polling.reason)
        }
        (_, Some(polling)) => {
            format!(
                "cannot be watched, checked every {}: {}",
                time_text::words(polling.interval),
                polling.reason
            )
        }
    };
    let mut text =
        format!("  {} {}: {}\n", sign(status, paint), paint.strong(clean(&name)), one_line(&words));
    if let State::Failed(trouble) = &status.state
        && let Some(hint) = &trouble.hint
    {
        let _ = writeln!(text, "      {}: {}", paint.hint("hint"), one_line(hint));
    }
    if let Some(next) = &status.next_attempt {
        let next = format!("next attempt {}: {}", now.until(next.at), next.reason);
        let _ = writeln!(text, "      {}", paint.faint(one_line(&next)));
    }
    text
}

fn busy(overview: &Overview, now: &Now, paint: Paint) -> String {
    if overview.busy.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.strong("Busy"));
    for status in overview.busy.iter().take(TROUBLES) {
        let name = status.resource.to_string();
        let since = status.busy_since.map(|at| format!(" for {}", now.since(at))).unwrap_or_default();
        let next = status.next_attempt.as_ref().map(|next| format!("; {}", next.reason)).unwrap_or_default();
        let about = format!("{}{since}{next}", status.action);
        let _ = writeln!(text, "  {}: {}", paint.strong(clean(&name)), one_line(&about));
    }
    text
}

/// The last events with their times; empty if there are none.
fn recent_events(happenings: &[Arc<RecentEvent>], now: &Now, paint: Paint) -> String {
    if happenings.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.strong("Recent events"));
    let skipped = happenings.len().saturating_sub(EVENTS);
    for happening in &happenings[skipped..] {
        let _ = writeln!(text, "  {}  {}", now.clock(happening.at), event_text(happening, paint));
    }
    text
}

fn event_text(happening: &RecentEvent, paint: Paint) -> String {
    let name = happening.resource.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = paint.strong(clean(&name));
    let about = paint.faint(one_line(&about(happening)));
    match &happening.kind {
        WatchEventKind::Repaired { .. } => format!("{} {name}{about}", paint.added("repaired")),
        WatchEventKind::Recovered => format!("{} {name}{about}", paint.added("recovered")),
        WatchEventKind::Failed { .. } => format!("{} {name}{about}", paint.error("failed")),
        WatchEventKind::Drifted { .. } => format!("{} {name}{about}", paint.changed("drifted")),
        WatchEventKind::Changed { change: ChangeKind::Run, .. } => format!("ran {name}{about}"),
        WatchEventKind::Changed { .. } => format!("changed {name}{about}"),
        WatchEventKind::Polling { reason } => {
            format!("{} {name}: {}", paint.changed("cannot watch"), one_line(reason))
        }
        WatchEventKind::Watching { resources } => {
            format!("first run finished; watching {}", count(*resources, "resource"))
        }
        WatchEventKind::EventsLost => "change events were lost; everything was checked again".to_owned(),
        WatchEventKind::ConfigurationReloaded { unchanged, visited, no_longer_declared, .. } => {
            format!("reloaded: {}", watch_text::swapped(*unchanged, *visited, *no_longer_declared))
        }
        WatchEventKind::ReloadFailed { message } => {
            format!("refused the configuration: {}", one_line(message))
        }
    }
}

/// The properties or the failure, the reason for the visit, and its duration.
fn about(happening: &RecentEvent) -> String {
    let mut about = match &happening.kind {
        WatchEventKind::Repaired { properties, .. }
        | WatchEventKind::Drifted { properties, .. }
        | WatchEventKind::Changed { properties, .. }
            if !properties.is_empty() =>
        {
            format!(": {}", properties.join(", "))
        }
        WatchEventKind::Failed { message } => format!(": {message}"),
        _ => String::new(),
    };
    if let Some(cause) = happening.cause.as_ref().filter(|cause| &*cause.reason != "declared") {
        let _ = write!(about, ", because {}", cause.message);
    }
    if let Some(duration) = happening.duration {
        let _ = write!(about, " ({})", time_text::fine(duration));
    }
    about
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uphold::model::{Action, ResourceId};
    use uphold::resource::{ErrorKind, Interest};
    use uphold::{Cause, Change, ChangeKind, Event, EventKind, Failure, Skip, Verdict, Wake};
    use uphold_status::StatusModel;

    use super::*;
    use crate::time_text::tests::{at, now};

    fn finished(name: &str, cause: Cause, verdict: Verdict) -> EventKind {
        let (resource, action) = (ResourceId::new("file", name), Action::Converge);
        EventKind::Finished { resource, action, cause, verdict, took: Duration::from_micros(420) }
    }

    fn failure() -> Failure {
        Failure {
            kind: ErrorKind::Denied,
            message: "cannot write /b\u{1b}[31m".to_owned(),
            causes: vec!["permission\ndenied".to_owned()],
            hint: Some("be root".to_owned()),
            differences: Vec::new(),
            place: None,
        }
    }

    /// A day on which much went wrong.
    fn board() -> StatusModel {
        let board = StatusModel::new(at(86_400));
        let woken = Cause::Woken(Wake::Reported(Interest::Path("/a".into())));
        let change = Change {
            kind: ChangeKind::Update,
            differences: Vec::new(),
            causes: uphold::model::DifferenceCauses::default(),
            unknown: Vec::new(),
            inputs: uphold::model::Map::new(),
        };
        let by = ResourceId::new("file", "/b");
        let back_off =
            EventKind::BackingOff { resource: by.clone(), failures: 3, after: Duration::from_secs(180) };
        let (blind, because) = (ResourceId::new("file", "/a"), "no watches left".to_owned());
        let events = [
            finished("/a", Cause::Written, Verdict::Unchanged),
            EventKind::Watching { resources: 4 },
            finished("/c", Cause::Written, Verdict::Skipped(Skip::FailedBefore(by))),
            finished("/b", woken.clone(), Verdict::Failed(failure())),
            back_off,
            finished("/a", woken, Verdict::Changed(change.clone())),
            finished("/d", Cause::Written, Verdict::Changed(Change { kind: ChangeKind::Run, ..change })),
            EventKind::Blind { resource: blind, because, every: Duration::from_secs(10) },
            EventKind::Started {
                resource: ResourceId::new("task", "x"),
                action: Action::Converge,
                cause: Cause::Written,
            },
        ];
        for (kind, second) in events.into_iter().zip(7_200..) {
            board.note(&Event { at: Duration::ZERO, kind }, at(86_400 + second));
        }
        board.reload_failed("main.hcl:1:1: no such kind", at(86_400 + 7_300));
        board
    }

    #[test]
    fn shows_problems_first_and_escapes_control_characters() {
        let shown = overview(&board().overview(99), &now(), Paint::new(false));
        let pid = std::process::id();
        let expected = format!(
            r#"watching since 02:00:01 (2m 59s); pid {pid}
2 as declared, 1 failed, 1 blocked, 1 cannot be watched, 1 not checked yet, 1 busy; 1 drifted, 1 repaired
the configuration on disk is not in force: refused at 02:01:40: main.hcl:1:1: no such kind

Problems
  x file["/b"]: failed: cannot write /b\u{{1b}}[31m: permission denied
      hint: be root
      next attempt in 4.00s: it failed 3 times in a row
  . file["/c"]: blocked, because file["/b"] failed
  ? file["/a"]: cannot be watched, checked every 10.00s: no watches left

Busy
  task.x: converge for 2m 52s

Recent events
  02:00:01  first run finished; watching 4 resources
  02:00:03  failed file["/b"]: cannot write /b\u{{1b}}[31m: permission denied, because /a changed (0.4ms)
  02:00:05  repaired file["/a"], because /a changed (0.4ms)
  02:00:06  ran file["/d"] (0.4ms)
  02:00:07  cannot watch file["/a"]: no watches left
  02:01:40  refused the configuration: main.hcl:1:1: no such kind
"#
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn counts_problems_beyond_the_limit() {
        let board = StatusModel::new(at(0));
        for name in 0..12 {
            let kind = finished(&name.to_string(), Cause::Written, Verdict::Failed(failure()));
            board.note(&Event { at: Duration::ZERO, kind }, at(0));
        }
        let shown = overview(&board.overview(10), &now(), Paint::new(false));
        assert!(shown.contains("  and 4 more; `uphold status --all` lists all resources\n"), "{shown}");
    }
}
