//! One line of the screen, cleaned and cut.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use crate::safe_text::{clean, cut, squeeze, width};

/// One line: pieces from the left, and one at the right end. Control characters are escaped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pieces: Vec<(String, Style)>,
    right: (String, Style),
    fill: Option<(char, Style)>,
}

impl Row {
    /// An empty line.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a piece.
    pub(crate) fn text(mut self, text: &str, style: Style) -> Self {
        self.pieces.push((clean(text).into_owned(), style));
        self
    }

    /// Adds a piece with a minimum width.
    pub(crate) fn column(self, text: &str, wide: usize, style: Style) -> Self {
        let gap = " ".repeat(wide.saturating_sub(width(&clean(text))));
        self.text(text, style).text(&gap, Style::new())
    }

    /// Adds a piece whose middle is left out if it is wider than this.
    pub(crate) fn name(mut self, name: &str, most: usize, style: Style) -> Self {
        self.pieces.push((squeeze(&clean(name), most).into_owned(), style));
        self
    }

    /// Adds a piece with an exact width.
    pub(crate) fn name_column(self, name: &str, wide: usize, style: Style) -> Self {
        self.column(&squeeze(&clean(name), wide), wide, style)
    }

    /// Sets the piece at the right end, with a gap before it.
    pub(crate) fn right(mut self, text: &str, style: Style) -> Self {
        self.right = (clean(text).into_owned(), style);
        self
    }

    /// Fills the rest of the line with a character that is one column wide.
    pub(crate) fn fill(mut self, character: char, style: Style) -> Self {
        self.fill = Some((character, style));
        self
    }

    /// Draws the row on the first line of the area. The right piece is dropped if it takes more than half.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let area = Rect { height: area.height.min(1), ..area };
        if area.is_empty() {
            return;
        }
        let all = usize::from(area.width);
        let right = Some(width(&self.right.0)).filter(|wide| (1..=all / 2).contains(wide)).unwrap_or(0);
        let mut room = all - right - usize::from(right > 0);
        let mut x = area.x;
        for (text, style) in &self.pieces {
            let shown = cut(text, room);
            let (next, _) = buffer.set_stringn(x, area.y, &*shown, room, *style);
            room = room.saturating_sub(usize::from(next - x));
            x = next;
        }
        if let Some((character, style)) = self.fill {
            buffer.set_stringn(x, area.y, character.to_string().repeat(room), room, style);
        }
        if right > 0 {
            let at = area.right() - u16::try_from(right).unwrap_or(area.width);
            buffer.set_stringn(at, area.y, &self.right.0, right, self.right.1);
        }
    }
}

/// The width of a column of these names, with a maximum.
pub(crate) fn widest(names: impl Iterator<Item = String>, most: usize) -> usize {
    names.map(|name| width(&clean(&name))).max().unwrap_or(0).min(most)
}

/// Draws rows below each other, one of them as selected.
pub(crate) fn draw_rows(rows: &[Row], selected: Option<(usize, Style)>, buffer: &mut Buffer, area: Rect) {
    for (row, line) in rows.iter().zip(area.rows()) {
        row.draw(buffer, line);
    }
    if let Some((index, style)) = selected
        && let Some(line) = area.rows().nth(index)
        && index < rows.len()
    {
        buffer.set_style(line, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &Row, wide: u16, expected: &str) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, wide, 1));
        row.draw(&mut buffer, Rect::new(0, 0, wide, 1));
        let shown: String = buffer.content().iter().map(ratatui_core::buffer::Cell::symbol).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn rows_are_cut_to_fit() {
        let plain = Style::new();
        let row =
            Row::new().column("text", 8, plain).name("file[\"/etc/motd\"]", 10, plain).right("3 s", plain);
        check(&row, 30, "text    fil…motd\"]         3 s");
        check(&row, 15, "text    fi… 3 s");
        check(&row, 5, "text…");
        check(&row, 0, "");
        check(&Row::new().text("a\u{1b}[2J", plain), 12, r"a\u{1b}[2J  ");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let row = Row::new().text("東京都", Style::new()).right("x", Style::new());
        // A wide character is followed by the cell that it covers.
        check(&row, 8, "東 京 都  x");
        check(&row, 6, "東 …  x");
    }
}
