//! Texts about a watch, for its log, its JSON lines and `uphold status`.

use std::time::Duration;

use uphold::model::{Action, Diagnostics, Severity};
use uphold::{Cause, Change, ChangeKind, ReloadTrigger, Summary, Verdict};

use crate::diagnostics::{count, counts};
use crate::time_text;

/// The consequence of a configuration that cannot be read.
pub(crate) const UNREADABLE: &str = "it cannot be read; the previous configuration stays in force";

/// The refusal of an invalid configuration.
pub(crate) fn refused(diagnostics: &Diagnostics) -> String {
    let errors = diagnostics.iter().filter(|problem| problem.severity() == Severity::Error).count();
    format!("{}; the previous configuration stays in force", count(errors, "error"))
}

/// The effect of a reloaded configuration.
pub(crate) fn swapped(kept: usize, visited: usize, left: usize) -> String {
    match (visited, left) {
        (0, 0) => "no differences".to_owned(),
        (visited, 0) => format!("{visited} new or different, {kept} unchanged"),
        (visited, left) => format!("{visited} new or different, {kept} unchanged, {left} no longer declared"),
    }
}

/// The end of a watch.
pub(crate) fn ended(summary: &Summary, repaired: usize, took: Duration) -> String {
    let Summary { failed, skipped, differ, paused, .. } = summary;
    let differs = if *differ == 1 { "differs" } else { "differ" };
    let wrong = counts([(*failed, "failed"), (*skipped, "skipped"), (*differ, differs), (*paused, "paused")]);
    let wrong = if wrong.is_empty() { ", everything is as declared".to_owned() } else { wrong };
    format!("stopped after {}: {repaired} repaired{wrong}", time_text::words(took))
}

/// The word for the result of a visit.
pub(super) fn result_word(verdict: &Verdict, change: &Change, cause: &Cause) -> &'static str {
    match (verdict, change.kind) {
        (Verdict::Differs(_) | Verdict::Paused(..), _) => "differs",
        (Verdict::PutBack(_), _) => "put back",
        (_, ChangeKind::Run) => "ran",
        _ if cause.is_outside() || change.is_found_drift(cause) => "repaired",
        _ => "changed",
    }
}

/// The differences that a visit found.
pub(super) fn differences(change: &Change, action: &Action) -> String {
    match (change.kind, action) {
        (ChangeKind::Create, _) => "was missing".to_owned(),
        (ChangeKind::Remove, _) => "existed".to_owned(),
        (ChangeKind::Run, Action::Verb(verb)) => verb.to_string(),
        (ChangeKind::Run, _) => "was not done".to_owned(),
        (ChangeKind::Update, _) => {
            let names: Vec<&str> =
                change.differences.iter().map(|difference| &*difference.property).collect();
            if names.is_empty() { "it differed".to_owned() } else { names.join(", ") }
        }
    }
}

/// The reason for a visit, after "because". `occasion` is the reason for the last reload.
pub(super) fn reason(cause: &Cause, occasion: Option<&ReloadTrigger>) -> String {
    match (cause, occasion) {
        (Cause::Written, Some(ReloadTrigger::Changed(what) | ReloadTrigger::Live(what))) => {
            format!("{what} changed")
        }
        (Cause::Written, Some(resumed @ ReloadTrigger::Resumed)) => resumed.to_string(),
        (Cause::Written, _) => "the configuration changed".to_owned(),
        (Cause::Notified { by, .. }, _) => format!("{by} changed"),
        (Cause::Pending { by, .. }, _) => format!("{by} changed in an earlier run"),
        (Cause::Woken(wake), _) => wake.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use uphold::Wake;
    use uphold::model::{Difference, DifferenceCause, DifferenceCauses, Map, ResourceId, Side};

    use super::*;

    #[test]
    fn describes_the_end_of_a_watch() {
        let check = |summary: Summary, repaired: usize, expected: &str| {
            assert_eq!(ended(&summary, repaired, Duration::from_secs(125)), expected);
        };
        let none = Summary::default();
        check(none, 3, "stopped after 2m 5s: 3 repaired, everything is as declared");
        let wrong = Summary { failed: 1, skipped: 2, differ: 3, ..none };
        check(wrong, 0, "stopped after 2m 5s: 0 repaired, 1 failed, 2 skipped, 3 differ");
    }

    #[test]
    fn describes_a_reload() {
        assert_eq!(swapped(3, 0, 0), "no differences");
        assert_eq!(swapped(3, 1, 0), "1 new or different, 3 unchanged");
        assert_eq!(swapped(3, 1, 2), "1 new or different, 3 unchanged, 2 no longer declared");
    }

    #[test]
    fn describes_visits() {
        let properties = ["content", "mode"].map(|name| Difference {
            property: name.into(),
            from: Side::Absent,
            to: Side::Absent,
        });
        let check = |kind: ChangeKind, cause: Cause, expected: &str| {
            let change = Change {
                kind,
                differences: properties.to_vec(),
                causes: DifferenceCauses::default(),
                unknown: Vec::new(),
                inputs: Map::new(),
            };
            let verdict = Verdict::Changed(change.clone());
            let action = Action::Converge;
            let words =
                format!("{} {}", result_word(&verdict, &change, &cause), differences(&change, &action));
            assert_eq!(format!("{words} because {}", reason(&cause, None)), expected);
        };
        let woken = |wake: Wake| Cause::Woken(wake);
        check(
            ChangeKind::Update,
            woken(Wake::Rechecked),
            "repaired content, mode because everything is rechecked",
        );
        let other = ResourceId::new("file", "/y");
        check(
            ChangeKind::Create,
            woken(Wake::Received(other)),
            "changed was missing because file[\"/y\"] has a new value",
        );
        check(ChangeKind::Run, Cause::Written, "ran was not done because the configuration changed");
        check(ChangeKind::Update, Cause::Written, "changed content, mode because the configuration changed");
        let drift = DifferenceCauses { whole: DifferenceCause::Drift, each: Vec::new() };
        let (kind, causes) = (ChangeKind::Update, drift);
        let found = Change { kind, differences: Vec::new(), causes, unknown: Vec::new(), inputs: Map::new() };
        assert_eq!(result_word(&Verdict::Changed(found.clone()), &found, &Cause::Written), "repaired");
        let live = ReloadTrigger::Live("host.hostname".to_owned());
        assert_eq!(reason(&Cause::Written, Some(&live)), "host.hostname changed");
    }
}
