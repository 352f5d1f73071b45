//! The details of one resource.

use std::fmt::Write;

use uphold::ChangeKind;
use uphold_status::{ResourceStatus, State};

use super::{one_line, sign, times};
use crate::diagnostics::count;
use crate::time_text::{self, Now};
use crate::{Paint, clean};

/// Everything about one resource. `all` contains the failed dependency that explains a blocked one.
pub(crate) fn details(status: &ResourceStatus, all: &[ResourceStatus], now: &Now, paint: Paint) -> String {
    let name = status.resource.to_string();
    let mut text = format!("{} {}\n", sign(status, paint), paint.strong(clean(&name)));
    for (label, words) in rows(status, all, now) {
        let label = paint.faint(format!("{label:<12}"));
        let _ = writeln!(text, "  {label} {}", one_line(&words));
    }
    text
}

fn rows(status: &ResourceStatus, all: &[ResourceStatus], now: &Now) -> Vec<(&'static str, String)> {
    let state = format!("{}; since {} ({})", status.state, now.clock(status.since), now.since(status.since));
    let mut rows = vec![("state", state), ("action", status.action.to_string())];
    rows.extend(reasons(status, all));
    if let State::Paused { pause, .. } = &status.state {
        rows.push(("paused", now.pause(pause.until, &pause.by, pause.reason.as_deref())));
    }
    if let Some(since) = status.busy_since {
        rows.push(("busy", format!("for {}", now.since(since))));
    }
    if let Some(next) = &status.next_attempt {
        rows.push(("next check", format!("{}: {}", now.until(next.at), next.reason)));
    }
    if let Some(polling) = &status.polling {
        let every = time_text::words(polling.interval);
        rows.push(("not watched", format!("checked every {every}, because {}", polling.reason)));
    }
    rows.push(("last change", last_change(status, now)));
    if let Some(visit) = &status.last_visit {
        let (at, took) = (now.clock(visit.at), time_text::fine(visit.duration));
        rows.push(("last visit", format!("at {at}, took {took}, because {}", visit.cause.message)));
    }
    let (visits, changes) = (count(status.visits as usize, "visit"), times(status.changes));
    let changes = if status.changes == 0 { "never".to_owned() } else { changes };
    rows.push(("so far", format!("{visits}; changed {changes}{}", drift(status))));
    rows
}

fn drift(status: &ResourceStatus) -> String {
    match status.drifted {
        0 => "; never drifted".to_owned(),
        number => format!("; drifted {}, repaired {}", times(number), times(status.repaired)),
    }
}

/// The reasons for a problem.
fn reasons(status: &ResourceStatus, all: &[ResourceStatus]) -> Vec<(&'static str, String)> {
    match &status.state {
        State::Failed(trouble) | State::Ignored(trouble) => {
            let hint = trouble.hint.as_ref().map(|hint| ("hint", hint.clone()));
            let often = (status.failures > 1).then(|| ("failures", format!("{} in a row", status.failures)));
            hint.into_iter().chain(often).collect()
        }
        State::Blocked(root) => {
            let root = all.iter().find(|other| other.resource == *root && other.state.is_trouble());
            root.map(|root| ("root cause", format!("{}: {}", root.resource, root.state)))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn last_change(status: &ResourceStatus, now: &Now) -> String {
    let Some(change) = &status.last_change else { return "none since the watch started".to_owned() };
    let what = match change.change {
        ChangeKind::Create => "created",
        ChangeKind::Update => "updated",
        ChangeKind::Remove => "removed",
        ChangeKind::Run => "ran",
    };
    let properties = change.properties.join(", ");
    let properties = if properties.is_empty() { properties } else { format!(" ({properties})") };
    format!("{what} at {}{properties}, because {}", now.clock(change.at), change.cause.message)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uphold::model::{Action, Difference, ResourceId, Side};
    use uphold::resource::Interest;
    use uphold::{Cause, Change, Event, EventKind, Skip, Verdict, Wake};
    use uphold_status::StatusModel;

    use super::super::list;
    use super::*;
    use crate::time_text::tests::{at, now};

    fn board() -> StatusModel {
        let board = StatusModel::new(at(86_400));
        let finished = |name: &str, cause: Cause, verdict: Verdict| {
            let (resource, action) = (ResourceId::new("file", name), Action::Converge);
            let took = Duration::from_micros(420);
            let kind = EventKind::Finished { resource, action, cause, verdict, took };
            board.note(&Event { at: Duration::ZERO, kind }, at(86_400 + 7_200));
        };
        let mode = Difference { property: "mode".into(), from: Side::Absent, to: Side::Absent };
        let change = Change {
            kind: ChangeKind::Update,
            differences: vec![mode],
            causes: uphold::model::DifferenceCauses::default(),
            unknown: Vec::new(),
            inputs: uphold::model::Map::new(),
        };
        finished("/a", Cause::Written, Verdict::Unchanged);
        finished(
            "/a",
            Cause::Woken(Wake::Reported(Interest::Path("/a".into()))),
            Verdict::Changed(change.clone()),
        );
        finished("/audited", Cause::Written, Verdict::Differs(change));
        let root = ResourceId::new("file", "/audited");
        finished("/blocked", Cause::Written, Verdict::Skipped(Skip::FailedBefore(root)));
        board
    }

    fn shown(name: &str) -> String {
        let all = board().snapshot().resources;
        let one = all.iter().find(|status| &*status.resource.name == name).expect("it exists");
        details(one, &all, &now(), Paint::new(false))
    }

    #[test]
    fn shows_changes_and_reasons() {
        let expected = r#"= file["/a"]
  state        as declared; since 02:00:00 (3m 0s)
  action       converge
  last change  updated at 02:00:00 (mode), because /a changed
  last visit   at 02:00:00, took 0.4ms, because /a changed
  so far       2 visits; changed once; drifted once, repaired once
"#;
        assert_eq!(shown("/a"), expected);
    }

    #[test]
    fn shows_the_root_cause_of_a_blocked_resource() {
        let shown = shown("/blocked");
        assert!(shown.contains("  root cause   file[\"/audited\"]: differs: mode\n"), "{shown}");
        assert!(shown.contains("  last change  none since the watch started\n"), "{shown}");
        assert!(shown.contains("  so far       0 visits; changed never; never drifted\n"), "{shown}");
    }

    #[test]
    fn lists_problems_first() {
        let shown = list(&board().snapshot().resources, &now(), Paint::new(false));
        let expected = r#"~ file["/audited"]  differs: mode
. file["/blocked"]  blocked, because file["/audited"] failed
= file["/a"]        as declared; drifted once; changed 3m 0s ago
"#;
        assert_eq!(shown, expected);
    }
}
