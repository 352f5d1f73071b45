//! What the keys do.

use super::row::Row;
use crate::theme::{PLAIN, STRONG};

const KEYS: &[(&str, &str)] = &[
    ("tab", "log, all resources, troubles"),
    ("j k ↓ ↑", "one line down, up"),
    ("PgDn PgUp", "one page down, up; space, too"),
    ("g G", "to the first, to the last"),
    ("enter", "all about what is selected"),
    ("/", "show only what contains a text"),
    ("esc", "close this, or drop the filter"),
    ("r", "read the configuration again"),
    ("c", "look at everything now"),
    ("q Ctrl-C", "end the watch; again: kill what runs"),
    ("Ctrl-Z", "pause the watch; `fg` goes on"),
];

const WORDS: &[(&str, &str)] = &[
    ("held", "as it is declared"),
    ("repaired", "something had changed it; put right"),
    ("drifting", "it differs, and is only audited"),
    ("failed", "it went wrong, and is tried again"),
    ("blocked", "it waits for something that failed"),
    ("blind", "no watching: looked at now and then"),
];

/// The lines.
pub(super) fn rows() -> Vec<Row> {
    let row = |(word, means): &(&str, &str)| {
        Row::new().text(" ", PLAIN).column(word, 11, STRONG).text(means, PLAIN)
    };
    KEYS.iter().map(row).chain([Row::new()]).chain(WORDS.iter().map(row)).collect()
}
