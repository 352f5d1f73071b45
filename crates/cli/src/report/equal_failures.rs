//! Failures of the instances of one `for_each` for the same reason.

use std::collections::BTreeMap;

use uphold::Failure;
use uphold::model::ResourceId;

use crate::{Ui, clean};

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
