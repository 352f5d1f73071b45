//! The last lines of a run: its slowest actions and its summary.

use std::time::Duration;

use uphold::model::{Action, ResourceId};
use uphold::{Mode, Summary};

use crate::clean;
use crate::diagnostics::counts;
use crate::time_text;

/// The number of slowest actions that are shown.
const SLOWEST: usize = 5;

/// The facts about a run that its summary does not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunShape {
    pub(crate) mode: Mode,
    pub(crate) audit: bool,
    /// The number of actions that `--target` and `--exclude` leave out.
    pub(crate) unselected: usize,
}

impl RunShape {
    /// The result of a run in one sentence.
    pub(crate) fn sentence(&self, summary: &Summary, took: Duration) -> String {
        if self.audit {
            return audited(summary);
        }
        if summary.changed == 0 && summary.is_success() {
            return self.unchanged(summary);
        }
        match self.mode {
            Mode::Plan => planned(summary),
            Mode::Apply => applied(summary, took),
        }
    }

    fn unchanged(&self, summary: &Summary) -> String {
        let besides = besides(summary);
        let selected = if self.unselected == 0 { "" } else { "selected " };
        let others = match self.unselected {
            0 => String::new(),
            1 => "; 1 other was not checked".to_owned(),
            others => format!("; {others} others were not checked"),
        };
        match summary.ok {
            1 => format!("No changes. 1 {selected}resource is as declared{besides}{others}."),
            ok => format!("No changes. {ok} {selected}resources are as declared{besides}{others}."),
        }
    }
}

fn audited(summary: &Summary) -> String {
    let Summary { ok, differ, .. } = summary;
    let verb = if *differ == 1 { "differs" } else { "differ" };
    let rest = Summary { differ: 0, ..*summary };
    format!("Audit: {differ} {verb}, {ok} as declared{}{}.", besides(&rest), wrong(summary))
}

/// Resources that are neither changed, nor as declared, nor failed.
fn besides(summary: &Summary) -> String {
    counts([
        (summary.not_wanted, "skipped by a condition"),
        (summary.differ, if summary.differ == 1 { "differs" } else { "differ" }),
        (summary.paused, "paused"),
        (summary.ignored, if summary.ignored == 1 { "failure ignored" } else { "failures ignored" }),
    ])
}

fn wrong(summary: &Summary) -> String {
    let Summary { failed, skipped, .. } = summary;
    if summary.is_success() { String::new() } else { format!("; {failed} failed, {skipped} skipped") }
}

fn planned(summary: &Summary) -> String {
    let Summary { created, updated, removed, ran, may_change, .. } = summary;
    let maybe = if *may_change == 0 { String::new() } else { format!(", {may_change} may change") };
    let (besides, wrong) = (besides(summary), wrong(summary));
    format!(
        "Plan: {created} to add, {updated} to change, {removed} to remove, {ran} to run{maybe}{besides}{wrong}."
    )
}

fn applied(summary: &Summary, took: Duration) -> String {
    let Summary { created, updated, removed, ran, ok, failed, skipped, .. } = summary;
    let besides = besides(summary);
    format!(
        "Applied: {created} added, {updated} changed, {removed} removed, {ran} run; \
         {ok} ok, {failed} failed, {skipped} skipped{besides} in {:.2}s.",
        took.as_secs_f64()
    )
}

/// The slowest actions of a run so far, the slowest first.
#[derive(Debug, Default)]
pub(crate) struct Slowest(Vec<(Duration, ResourceId, Action)>);

impl Slowest {
    pub(crate) fn record(&mut self, resource: &ResourceId, action: &Action, took: Duration) {
        let place = self.0.partition_point(|(other, ..)| *other >= took);
        if place < SLOWEST && took.as_millis() > 0 {
            self.0.truncate(SLOWEST - 1);
            self.0.insert(place, (took, resource.clone(), action.clone()));
        }
    }

    /// A heading and a line for each; empty if there are none.
    pub(crate) fn text(&self) -> String {
        let lines = self.0.iter().map(|(took, resource, action)| {
            let name = resource.to_string();
            let action = match action {
                Action::Verb(verb) => format!(" ({})", clean(verb)),
                _ => String::new(),
            };
            format!("  {:>8}  {}{action}\n", time_text::words(*took), clean(&name))
        });
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("\nSlowest:\n{lines}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(summary: Summary, mode: Mode, expected: &str) {
        let shape = RunShape { mode, audit: false, unselected: 0 };
        assert_eq!(shape.sentence(&summary, Duration::from_millis(123)), expected);
    }

    #[test]
    fn summarises_a_run() {
        let none = Summary::default();
        check(none, Mode::Plan, "No changes. 0 resources are as declared.");
        check(Summary { ok: 1, ..none }, Mode::Apply, "No changes. 1 resource is as declared.");
        let some = Summary { changed: 4, created: 2, updated: 1, ran: 1, ok: 3, ..none };
        check(some, Mode::Plan, "Plan: 2 to add, 1 to change, 0 to remove, 1 to run.");
        check(
            some,
            Mode::Apply,
            "Applied: 2 added, 1 changed, 0 removed, 1 run; 3 ok, 0 failed, 0 skipped in 0.12s.",
        );
        let mixed = Summary { changed: 1, may_change: 1, failed: 1, skipped: 2, ..none };
        check(
            mixed,
            Mode::Plan,
            "Plan: 0 to add, 0 to change, 0 to remove, 0 to run, 1 may change; 1 failed, 2 skipped.",
        );
        check(
            Summary { failed: 1, ..none },
            Mode::Apply,
            "Applied: 0 added, 0 changed, 0 removed, 0 run; 0 ok, 1 failed, 0 skipped in 0.12s.",
        );
    }

    #[test]
    fn counts_conditions_audits_pauses_and_ignored_failures() {
        let none = Summary::default();
        let (unwanted, differ, ignored) = (
            Summary { ok: 2, not_wanted: 1, ..none },
            Summary { ok: 1, differ: 1, ..none },
            Summary { ok: 0, ignored: 2, ..none },
        );
        check(unwanted, Mode::Plan, "No changes. 2 resources are as declared, 1 skipped by a condition.");
        check(differ, Mode::Apply, "No changes. 1 resource is as declared, 1 differs.");
        let paused = Summary { ok: 1, paused: 2, ..none };
        check(paused, Mode::Plan, "No changes. 1 resource is as declared, 2 paused.");
        check(ignored, Mode::Apply, "No changes. 0 resources are as declared, 2 failures ignored.");
        check(
            Summary { changed: 1, created: 1, not_wanted: 2, differ: 3, ignored: 1, ..none },
            Mode::Apply,
            "Applied: 1 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped, 2 skipped by a condition, \
             3 differ, 1 failure ignored in 0.12s.",
        );
    }

    #[test]
    fn summarises_an_audit() {
        let check = |summary: Summary, expected: &str| {
            let shape = RunShape { mode: Mode::Apply, audit: true, unselected: 0 };
            assert_eq!(shape.sentence(&summary, Duration::ZERO), expected);
        };
        let none = Summary::default();
        check(none, "Audit: 0 differ, 0 as declared.");
        check(
            Summary { differ: 1, ok: 2, not_wanted: 1, ..none },
            "Audit: 1 differs, 2 as declared, 1 skipped by a condition.",
        );
        let wrong = Summary { differ: 2, failed: 1, ignored: 1, ..none };
        check(wrong, "Audit: 2 differ, 0 as declared, 1 failure ignored; 1 failed, 0 skipped.");
    }

    #[test]
    fn lists_the_slowest_actions() {
        let mut slowest = Slowest::default();
        assert_eq!(slowest.text(), "");
        for (name, millis) in [("a", 5), ("b", 70_000), ("c", 0), ("d", 1500), ("e", 5), ("f", 1), ("g", 30)]
        {
            let action = if name == "d" { Action::Verb("run".into()) } else { Action::Converge };
            slowest.record(&ResourceId::new("task", name), &action, Duration::from_millis(millis));
        }
        let expected = "\nSlowest:\n    1m 10s  task.b\n     1.50s  task.d (run)\n      30ms  task.g\n       5ms  task.a\n       5ms  task.e\n";
        assert_eq!(slowest.text(), expected);
    }
}
