//! The last line of a run.

use std::time::Duration;

use uphold::{Mode, Summary};

/// What a run came to, in one sentence.
pub(crate) fn sentence(summary: &Summary, mode: Mode, took: Duration) -> String {
    if summary.changed == 0 && summary.is_success() {
        return unchanged(summary);
    }
    match mode {
        Mode::Plan => planned(summary),
        Mode::Apply => applied(summary, took),
    }
}

fn unchanged(summary: &Summary) -> String {
    let unwanted = unwanted(summary);
    match summary.ok {
        1 => format!("No changes. 1 resource is as declared{unwanted}."),
        ok => format!("No changes. {ok} resources are as declared{unwanted}."),
    }
}

/// What conditions kept out, if they did.
fn unwanted(summary: &Summary) -> String {
    match summary.not_wanted {
        0 => String::new(),
        count => format!(", {count} not wanted"),
    }
}

fn planned(summary: &Summary) -> String {
    let Summary { created, updated, removed, ran, may_change, failed, skipped, .. } = summary;
    let maybe = if *may_change == 0 { String::new() } else { format!(", {may_change} may change") };
    let wrong =
        if summary.is_success() { String::new() } else { format!("; {failed} failed, {skipped} skipped") };
    let unwanted = unwanted(summary);
    format!(
        "Plan: {created} to add, {updated} to change, {removed} to remove, {ran} to run{maybe}{unwanted}{wrong}."
    )
}

fn applied(summary: &Summary, took: Duration) -> String {
    let Summary { created, updated, removed, ran, ok, failed, skipped, .. } = summary;
    let unwanted = unwanted(summary);
    format!(
        "Applied: {created} added, {updated} changed, {removed} removed, {ran} run; \
         {ok} ok, {failed} failed, {skipped} skipped{unwanted} in {:.2}s.",
        took.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_in_one_sentence() {
        let check = |summary: Summary, mode, expected: &str| {
            assert_eq!(sentence(&summary, mode, Duration::from_millis(123)), expected);
        };
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
            Summary { ok: 2, not_wanted: 1, ..none },
            Mode::Plan,
            "No changes. 2 resources are as declared, 1 not wanted.",
        );
        check(
            Summary { changed: 1, created: 1, not_wanted: 2, ..none },
            Mode::Apply,
            "Applied: 1 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped, 2 not wanted in 0.12s.",
        );
        check(
            Summary { failed: 1, ..none },
            Mode::Apply,
            "Applied: 0 added, 0 changed, 0 removed, 0 run; 0 ok, 1 failed, 0 skipped in 0.12s.",
        );
    }
}
