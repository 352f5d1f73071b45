//! The lines that are printed after the screen has closed.

use std::fmt::Write;
use std::time::SystemTime;

use uphold_status::{Overview, Phase, ResourceStatus};

use crate::number::{counted, grouped, whole};
use crate::safe_text::clean;
use crate::summary::{first_line, status};
use crate::view::View;

/// Most problems that are listed.
const MOST_PROBLEMS: usize = 5;

/// A few plain lines about a watch that has ended: its duration, its changes, and remaining problems. They are safe for
/// a terminal, and each ends with a newline.
pub(crate) fn closing_summary(view: &dyn View, now: SystemTime) -> String {
    let overview = view.overview(MOST_PROBLEMS);
    let mut text = format!("{}\n", whole_watch(&overview, now));
    overview.problems.iter().for_each(|trouble| push(&mut text, &line(trouble)));
    if overview.more_problems > 0 {
        push(&mut text, &format!("… and {} more", grouped(overview.more_problems)));
    }
    if let Some(refusal) = &overview.reload_error {
        let why = first_line(&refusal.message);
        push(&mut text, &format!("the configuration on disk was refused: {why}"));
    }
    text
}

fn push(text: &mut String, line: &str) {
    writeln!(text, "  {}", clean(line)).expect("writing to a string");
}

/// `watched 1,234 resources for 2 h 3 m: 17 repaired, 3 changed; 1 failed, 2 blocked`.
fn whole_watch(overview: &Overview, now: SystemTime) -> String {
    let totals = &overview.totals;
    let lasted = whole(now.duration_since(overview.started_at).unwrap_or_default());
    let mut text = match overview.phase {
        Phase::Watching { .. } => {
            let all = counted(totals.all, "resource", "resources");
            format!("watched {all} for {lasted}")
        }
        Phase::Converging { done, of } => {
            let (done, of) = (grouped(done), grouped(of));
            format!("ended after {lasted}, with {done} of {of} resources applied")
        }
        Phase::Starting => format!("ended after {lasted}, before the first run"),
    };
    let changed = totals.changes.saturating_sub(totals.repaired);
    let done = listed(&[(totals.repaired, "repaired"), (changed, "changed")]);
    let wrong = listed(&[
        (totals.failed as u64, "failed"),
        (totals.blocked as u64, "blocked"),
        (totals.differs as u64, "differing"),
        (totals.paused as u64, "paused"),
        (totals.polled as u64, "polled"),
    ]);
    text += &done.map_or(": nothing changed".to_owned(), |done| format!(": {done}"));
    text += &wrong.map(|wrong| format!("; {wrong}")).unwrap_or_default();
    text
}

/// `17 repaired, 3 changed`, without zeros; none if all are zero.
fn listed(numbers: &[(u64, &str)]) -> Option<String> {
    let some = numbers.iter().filter(|(number, _)| *number > 0);
    let texts: Vec<String> = some.map(|(number, word)| format!("{} {word}", grouped(*number))).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn line(trouble: &ResourceStatus) -> String {
    let summary = status(trouble);
    format!("{} {}: {}", summary.word, trouble.resource, summary.text)
}

#[cfg(test)]
mod tests {
    use uphold_status::Snapshot;

    use super::*;
    use crate::sample::{self, file, now};

    fn check(watch: &Snapshot, expected: &[&str]) {
        assert_eq!(closing_summary(watch, now()).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn summarizes_a_watch() {
        check(&sample::quiet(Vec::new()), &["watched 0 resources for 10 m 0 s: nothing changed"]);
        check(
            &sample::converging(),
            &["ended after 10 m 0 s, with 1 of 4 resources applied: nothing changed"],
        );
        check(
            &sample::refused(),
            &[
                "watched 8 resources for 10 m 0 s: 2 repaired, 1 changed; 1 failed, 1 blocked, 1 differing, 1 polled",
                "  failed task.migrate: cannot run `app migrate`: exit status 1: no route to the database",
                "  blocked file[\"/srv/app/ready\"]: task.migrate failed",
                "  polled directory[\"/mnt/share\"]: no watches are left",
                "  differs file[\"/etc/passwd\"]: owner (audit only)",
                "  the configuration on disk was refused: error: unknown kind `flie`",
            ],
        );
    }

    #[test]
    fn the_summary_is_short_and_escapes_control_characters() {
        let failed = (0..1_000).map(|number| sample::failed(file(&format!("/{number}")), "\u{1b}[2J\nno"));
        let text = closing_summary(&sample::quiet(failed.collect()), now());
        assert_eq!(text.lines().count(), 7, "{text}");
        assert!(text.contains("/4\"]: \\u{1b}[2J no") && text.ends_with("  … and 995 more\n"), "{text}");
    }
}
