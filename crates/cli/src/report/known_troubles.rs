//! The known problems of resources, so that a watch reports only new ones.

use std::collections::{BTreeMap, HashMap};

use uphold::model::ResourceId;
use uphold::{Change, Failure, Skip, Verdict};

use crate::{Ui, clean};

/// The state of a resource compared with its previous visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transition {
    /// It has no problem, and had none.
    Fine,
    NewTrouble,
    SameTrouble,
    Recovered,
}

/// The resources with problems, and their descriptions. Its size depends on their number, not on time.
#[derive(Debug, Default)]
pub(super) struct KnownTroubles(HashMap<ResourceId, String>);

impl KnownTroubles {
    pub(super) fn record(&mut self, resource: &ResourceId, verdict: &Verdict) -> Transition {
        match trouble(verdict) {
            Some(now) if self.0.get(resource) == Some(&now) => Transition::SameTrouble,
            Some(now) => {
                self.0.insert(resource.clone(), now);
                Transition::NewTrouble
            }
            None => self.0.remove(resource).map_or(Transition::Fine, |_| Transition::Recovered),
        }
    }
}

/// The problem, for comparison; none if there is none.
fn trouble(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Failed(failure) | Verdict::Ignored(failure) => Some(format!("failed: {}", failure.message)),
        Verdict::Skipped(Skip::FailedBefore(root)) => Some(format!("blocked: {root}")),
        Verdict::Differs(change) => Some(format!("differs:{}", names(change))),
        Verdict::Paused(change, pause) => Some(format!("{pause:?}:{}", names(change))),
        _ => None,
    }
}

fn names(change: &Change) -> String {
    change.differences.iter().map(|difference| format!(" {}", difference.property)).collect()
}

// Failures of the instances of one `for_each` for the same reason.

/// The number of equal failures that are shown; the others are counted.
const SHOWN: usize = 3;

/// The number of failures for each block with `for_each` and each reason.
#[derive(Default)]
pub(super) struct EqualFailures(BTreeMap<(String, String), usize>);

impl EqualFailures {
    /// Counts a failure. Returns whether it is shown. Reasons are the same when a message differs only in the path of each
    /// instance.
    pub(super) fn is_shown(&mut self, resource: &ResourceId, failure: &Failure) -> bool {
        let Some(key) = resource.key() else { return true };
        let reason = if failure.causes.is_empty() {
            without_word(&failure.message, key)
        } else {
            failure.causes.join(": ")
        };
        let block = resource.with_key(None).to_string();
        let count = self.0.entry((block, reason)).or_default();
        *count += 1;
        *count <= SHOWN
    }

    /// Says how many were not shown.
    pub(super) fn show_rest(&self, ui: &mut Ui) {
        let error = ui.talk_paint().error("error");
        for ((block, reason), count) in self.0.iter().filter(|(_, count)| **count > SHOWN) {
            let (more, block, reason) = (count - SHOWN, clean(block), clean(reason));
            ui.talk(format_args!(
                "{error}: {more} more of {block} failed in the same way: {reason}; -v and --report list them all\n"
            ));
        }
    }
}

/// The text with `…` in place of a word. A part of a longer word, such as the name of a temporary directory, stays.
fn without_word(text: &str, word: &str) -> String {
    let (mut left, mut end) = (String::new(), 0);
    for (at, _) in text.match_indices(word) {
        let after = at + word.len();
        let is_part =
            text[..at].ends_with(char::is_alphanumeric) || text[after..].starts_with(char::is_alphanumeric);
        if !is_part {
            left.push_str(&text[end..at]);
            left.push('…');
            end = after;
        }
    }
    left.push_str(&text[end..]);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_new_troubles() {
        let (mut troubles, file) = (KnownTroubles::default(), ResourceId::new("file", "/x"));
        let other = |name| Verdict::Skipped(Skip::FailedBefore(ResourceId::new("file", name)));
        let mut check =
            |verdict: Verdict, expected: Transition| assert_eq!(troubles.record(&file, &verdict), expected);
        check(Verdict::Unchanged, Transition::Fine);
        check(other("/a"), Transition::NewTrouble);
        check(other("/a"), Transition::SameTrouble);
        check(other("/b"), Transition::NewTrouble);
        check(Verdict::Unchanged, Transition::Recovered);
        check(Verdict::Unchanged, Transition::Fine);
    }
}

#[cfg(test)]
mod equal_failures_tests {
    use super::without_word;

    #[test]
    fn a_word_is_left_out_and_a_part_of_one_stays() {
        for (text, expected) in [
            ("/missing/f5 is missing", "/missing/… is missing"),
            ("f5", "…"),
            ("/tmp/.tmpf5Xq/f5, f50", "/tmp/.tmpf5Xq/…, f50"),
            ("other", "other"),
        ] {
            assert_eq!(without_word(text, "f5"), expected);
        }
    }
}
