//! A text that lies over the lists.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::picture::Picture;
use super::row::draw_rows;
use super::{details, help, rule};
use crate::cursor::Cursor;
use crate::scene::Sheet;

/// Draws as much of it as fits, from where it was scrolled to.
pub(super) fn draw(
    picture: &Picture<'_>,
    sheet: &Sheet,
    cursor: &mut Cursor,
    buffer: &mut Buffer,
    area: Rect,
) {
    let wide = usize::from(area.width);
    let (title, rows) = match sheet {
        Sheet::Help => ("help".to_owned(), help::rows()),
        Sheet::Details(subject) => (details::title(subject), details::rows(picture, subject, wide)),
    };
    let below = rule::draw(&title, true, buffer, area);
    let height = usize::from(below.height);
    // What is selected is the first line: there is nothing to choose, only to read.
    cursor.fit(rows.len().saturating_sub(height) + 1, 1);
    draw_rows(&rows[cursor.selected.min(rows.len())..], None, buffer, below);
}
