//! The last line of a run.

use std::time::Duration;

use uphold::{Mode, Summary};

/// What a run came to, in one sentence.
pub(crate) fn sentence(summary: &Summary, mode: Mode, audit: bool, took: Duration) -> String {
    if audit {
        return audited(summary);
    }
    if summary.changed == 0 && summary.is_success() {
        return unchanged(summary);
    }
    match mode {
        Mode::Plan => planned(summary),
        Mode::Apply => applied(summary, took),
    }
}

fn unchanged(summary: &Summary) -> String {
    let besides = besides(summary);
    match summary.ok {
        1 => format!("No changes. 1 resource is as declared{besides}."),
        ok => format!("No changes. {ok} resources are as declared{besides}."),
    }
}

fn audited(summary: &Summary) -> String {
    let Summary { ok, differ, .. } = summary;
    let verb = if *differ == 1 { "differs" } else { "differ" };
    let rest = Summary { differ: 0, ..*summary };
    format!("Audit: {differ} {verb}, {ok} as declared{}{}.", besides(&rest), wrong(summary))
}

/// What conditions kept out, what is only audited and what failed without harm, if there was any.
fn besides(summary: &Summary) -> String {
    let told = [
        (summary.not_wanted, "not wanted"),
        (summary.differ, if summary.differ == 1 { "differs" } else { "differ" }),
        (summary.ignored, if summary.ignored == 1 { "failure ignored" } else { "failures ignored" }),
    ];
    told.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!(", {count} {words}")).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(summary: Summary, mode: Mode, expected: &str) {
        assert_eq!(sentence(&summary, mode, false, Duration::from_millis(123)), expected);
    }

    #[test]
    fn a_run_ends_in_one_sentence() {
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
    fn what_is_neither_changed_nor_wrong_is_counted_too() {
        let none = Summary::default();
        let (unwanted, differ, ignored) = (
            Summary { ok: 2, not_wanted: 1, ..none },
            Summary { ok: 1, differ: 1, ..none },
            Summary { ok: 0, ignored: 2, ..none },
        );
        check(unwanted, Mode::Plan, "No changes. 2 resources are as declared, 1 not wanted.");
        check(differ, Mode::Apply, "No changes. 1 resource is as declared, 1 differs.");
        check(ignored, Mode::Apply, "No changes. 0 resources are as declared, 2 failures ignored.");
        check(
            Summary { changed: 1, created: 1, not_wanted: 2, differ: 3, ignored: 1, ..none },
            Mode::Apply,
            "Applied: 1 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped, 2 not wanted, \
             3 differ, 1 failure ignored in 0.12s.",
        );
    }

    #[test]
    fn an_audit_tells_what_differs() {
        let check = |summary: Summary, expected: &str| {
            assert_eq!(sentence(&summary, Mode::Apply, true, Duration::ZERO), expected);
        };
        let none = Summary::default();
        check(none, "Audit: 0 differ, 0 as declared.");
        check(
            Summary { differ: 1, ok: 2, not_wanted: 1, ..none },
            "Audit: 1 differs, 2 as declared, 1 not wanted.",
        );
        let wrong = Summary { differ: 2, failed: 1, ignored: 1, ..none };
        check(wrong, "Audit: 2 differ, 0 as declared, 1 failure ignored; 1 failed, 0 skipped.");
    }
}
