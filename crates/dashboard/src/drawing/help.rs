//! The help page.

use super::row::Row;
use crate::theme::{PLAIN, STRONG};

const KEYS: &[(&str, &str)] = &[
    ("tab", "switch between log, resources and problems"),
    ("j k ↓ ↑", "move one line down, up"),
    ("PgDn PgUp", "move one page down, up; also space"),
    ("g G", "go to the first, the last line"),
    ("enter", "show details of the selected line"),
    ("/", "show only lines that contain a string"),
    ("esc", "close this page, or clear the filter"),
    ("r", "reload the configuration"),
    ("c", "check everything now"),
    ("q Ctrl-C", "end the watch; again: kill running commands"),
    ("Ctrl-Z", "suspend the watch; `fg` continues it"),
];

const WORDS: &[(&str, &str)] = &[
    ("ok", "as declared"),
    ("repaired", "had drifted, and was repaired"),
    ("differs", "differs, but is only audited"),
    ("paused", "differs, and `uphold pause` paused it"),
    ("failed", "failed, and will be tried again"),
    ("blocked", "skipped, because a dependency failed"),
    ("polled", "cannot be watched: checked regularly"),
];

/// The lines of the page.
pub(super) fn rows() -> Vec<Row> {
    let row = |(word, means): &(&str, &str)| {
        Row::new().text(" ", PLAIN).column(word, 11, STRONG).text(means, PLAIN)
    };
    KEYS.iter().map(row).chain([Row::new()]).chain(WORDS.iter().map(row)).collect()
}
