//! The last line: keys, or what is typed.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::row::Row;
use crate::safe_text::{clean, width};
use crate::scene::Scene;
use crate::theme::{FAINT, PLAIN, STRONG};

/// What a narrow screen has room for comes first.
const KEYS: &[(&str, &str)] = &[
    ("q", "quit"),
    ("?", "help"),
    ("tab", "next"),
    ("enter", "details"),
    ("/", "filter"),
    ("r", "reload"),
    ("c", "re-check"),
];

/// What does something while a sheet lies over the lists.
const SHEET_KEYS: &[(&str, &str)] = &[("esc", "back"), ("j k", "scroll"), ("q", "quit"), ("?", "help")];

/// Draws it, and says where the cursor goes while something is typed.
pub(super) fn draw(scene: &Scene, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    if scene.filter.is_typed {
        let typed = clean(&scene.filter.text).into_owned();
        let shown = visible(&typed, usize::from(area.width).saturating_sub(9));
        Row::new().text(" filter ", STRONG).text(shown, PLAIN).draw(buffer, area);
        let x = area.x + u16::try_from(8 + width(shown)).unwrap_or(area.width);
        let last = area.right().saturating_sub(1);
        return (!area.is_empty()).then_some(Position { x: x.min(last), y: area.y });
    }
    let row = match scene.notice {
        Some(notice) => Row::new().text(&format!(" {notice}"), STRONG),
        None if scene.sheet.is_some() => keys(SHEET_KEYS, usize::from(area.width)),
        None => keys(KEYS, usize::from(area.width)),
    };
    row.draw(buffer, area);
    None
}

/// The end of what is typed, if it does not fit.
fn visible(typed: &str, room: usize) -> &str {
    let starts = typed.char_indices().map(|(at, _)| at).chain([typed.len()]);
    let start = starts.into_iter().find(|start| width(&typed[*start..]) <= room);
    &typed[start.unwrap_or(typed.len())..]
}

/// As many keys as fit as a whole.
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
    fn the_end_of_what_is_typed_is_seen() {
        let check = |typed: &str, room, expected: &str| assert_eq!(visible(typed, room), expected);
        check("motd", 10, "motd");
        check("/etc/motd", 4, "motd");
        check("東京", 3, "京");
        check("motd", 0, "");
    }
}
