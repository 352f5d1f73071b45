//! Sentences about a watch, the same for people and programs.

use std::time::Duration;

use uphold::Summary;
use uphold::model::{Diagnostics, Severity};

use super::span;
use crate::diagnostics::count;

/// A configuration was refused.
pub(crate) fn refused(diagnostics: &Diagnostics) -> String {
    let errors = diagnostics.iter().filter(|problem| problem.severity() == Severity::Error).count();
    format!("{}; the one before is held on", count(errors, "error"))
}

/// Another configuration is held.
pub(crate) fn swapped(kept: usize, visited: usize, left: usize) -> String {
    match (visited, left) {
        (0, 0) => "nothing differs".to_owned(),
        (visited, 0) => format!("{visited} new or different, {kept} as before"),
        (visited, left) => format!("{visited} new or different, {kept} as before, {left} left alone"),
    }
}

/// The watch is over.
pub(crate) fn ended(summary: &Summary, repaired: usize, took: Duration) -> String {
    let Summary { failed, skipped, differ, .. } = summary;
    let told = [(*failed, "failed"), (*skipped, "skipped"), (*differ, "differ")];
    let wrong: String = told
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!(", {number} {word}"))
        .collect();
    let wrong = if wrong.is_empty() { ", everything is held".to_owned() } else { wrong };
    format!("ended after {}: {repaired} repaired{wrong}", span::words(took))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_ends_in_one_sentence() {
        let check = |summary: Summary, repaired: usize, expected: &str| {
            assert_eq!(ended(&summary, repaired, Duration::from_secs(125)), expected);
        };
        let none = Summary::default();
        check(none, 3, "ended after 2m 5s: 3 repaired, everything is held");
        let wrong = Summary { failed: 1, skipped: 2, differ: 3, ..none };
        check(wrong, 0, "ended after 2m 5s: 0 repaired, 1 failed, 2 skipped, 3 differ");
    }

    #[test]
    fn a_swap_tells_what_it_touches() {
        assert_eq!(swapped(3, 0, 0), "nothing differs");
        assert_eq!(swapped(3, 1, 0), "1 new or different, 3 as before");
        assert_eq!(swapped(3, 1, 2), "1 new or different, 3 as before, 2 left alone");
    }
}
