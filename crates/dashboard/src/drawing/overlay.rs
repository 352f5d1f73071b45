//! A page that covers the lists.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::picture::Picture;
use super::row::draw_rows;
use super::{details, help, rule};
use crate::cursor::Cursor;
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
        Overlay::Help => ("help".to_owned(), help::rows()),
        Overlay::Details(subject) => (details::title(subject), details::rows(picture, subject, wide)),
    };
    let below = rule::draw(&title, true, buffer, area);
    let height = usize::from(below.height);
    // Nothing can be selected on a page: the cursor is its first visible line.
    cursor.fit(rows.len().saturating_sub(height) + 1, 1);
    draw_rows(&rows[cursor.selected.min(rows.len())..], None, buffer, below);
}
