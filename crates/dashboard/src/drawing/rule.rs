//! The line above a list.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::row::Row;
use crate::filter::Filter;
use crate::theme::{FAINT, STRONG};

/// Draws `── title ────────`, heavier if the list has the focus, and returns the area below.
pub(super) fn draw(title: &str, is_chosen: bool, buffer: &mut Buffer, area: Rect) -> Rect {
    let (line, style) = if is_chosen { ('━', STRONG) } else { ('─', FAINT) };
    let row = Row::new().text(&format!("{line}{line} {title} "), style);
    row.fill(line, FAINT).draw(buffer, area);
    Rect { y: area.y + area.height.min(1), height: area.height.saturating_sub(1), ..area }
}

/// A title with the filter.
pub(super) fn filtered(title: String, filter: &Filter) -> String {
    if filter.is_empty() { title } else { format!("{title} ── containing {}", filter.text) }
}
