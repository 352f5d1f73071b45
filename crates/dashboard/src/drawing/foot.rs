//! The last line: keys, a response, or the filter while it is typed.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::row::Row;
use crate::safe_text::{clean, width};
use crate::theme::{FAINT, PLAIN, STRONG};
use crate::ui_state::UiState;

/// The most important first: a narrow screen shows only the first ones.
const KEYS: &[(&str, &str)] = &[
    ("q", "quit"),
    ("?", "help"),
    ("tab", "next"),
    ("enter", "details"),
    ("/", "filter"),
    ("r", "reload"),
    ("c", "re-check"),
];

/// Keys of an overlay.
const OVERLAY_KEYS: &[(&str, &str)] = &[("esc", "back"), ("j k", "scroll"), ("q", "quit"), ("?", "help")];

/// Draws the line, and returns the position of the cursor while the filter is typed.
pub(super) fn draw(ui: &UiState, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    if ui.filter.is_typed {
        let typed = clean(&ui.filter.text).into_owned();
        let shown = visible(&typed, usize::from(area.width).saturating_sub(9));
        Row::new().text(" filter ", STRONG).text(shown, PLAIN).draw(buffer, area);
        let x = area.x + u16::try_from(8 + width(shown)).unwrap_or(area.width);
        let last = area.right().saturating_sub(1);
        return (!area.is_empty()).then_some(Position { x: x.min(last), y: area.y });
    }
    let row = match ui.response {
        Some(response) => Row::new().text(&format!(" {response}"), STRONG),
        None if ui.overlay.is_some() => keys(OVERLAY_KEYS, usize::from(area.width)),
        None => keys(KEYS, usize::from(area.width)),
    };
    row.draw(buffer, area);
    None
}

/// The end of the typed text that fits.
fn visible(typed: &str, room: usize) -> &str {
    let starts = typed.char_indices().map(|(at, _)| at).chain([typed.len()]);
    let start = starts.into_iter().find(|start| width(&typed[*start..]) <= room);
    &typed[start.unwrap_or(typed.len())..]
}

/// As many keys as fit.
fn keys(keys: &[(&str, &str)], wide: usize) -> Row {
    let (mut row, mut room) = (Row::new(), wide);
    for (key, does) in keys {
        let takes = key.len() + does.len() + 3;
        if takes > room {
            break;
        }
        room -= takes;
        row = row.text(&format!(" {key}"), STRONG);
        row = row.text(&format!(" {does} "), FAINT);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_end_of_the_typed_text() {
        let check = |typed: &str, room, expected: &str| assert_eq!(visible(typed, room), expected);
        check("motd", 10, "motd");
        check("/etc/motd", 4, "motd");
        check("東京", 3, "京");
        check("motd", 0, "");
    }
}
