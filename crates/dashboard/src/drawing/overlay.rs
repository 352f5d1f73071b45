//! A page that covers the lists: details, or the help.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::picture::Picture;
use super::row::{Row, draw_rows};
use super::{details, rule};
use crate::cursor::Cursor;
use crate::theme::{PLAIN, STRONG};
use crate::ui_state::Overlay;

/// Draws the visible part of the page.
pub(super) fn draw(
    picture: &Picture<'_>,
    overlay: &Overlay,
    cursor: &mut Cursor,
    buffer: &mut Buffer,
    area: Rect,
) {
    let wide = usize::from(area.width);
    let (title, rows) = match overlay {
        Overlay::Help => ("help".to_owned(), help_rows()),
        Overlay::Details(subject) => (details::title(subject), details::rows(picture, subject, wide)),
    };
    let below = rule::draw(&title, true, buffer, area);
    let height = usize::from(below.height);
    // Nothing can be selected on a page: the cursor is its first visible line.
    cursor.fit(rows.len().saturating_sub(height) + 1, 1);
    draw_rows(&rows[cursor.selected.min(rows.len())..], None, buffer, below);
}

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
pub(super) fn help_rows() -> Vec<Row> {
    let row = |(word, means): &(&str, &str)| {
        Row::new().text(" ", PLAIN).column(word, 11, STRONG).text(means, PLAIN)
    };
    KEYS.iter().map(row).chain([Row::new()]).chain(WORDS.iter().map(row)).collect()
}
