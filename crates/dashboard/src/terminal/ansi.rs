//! Writes frames to the terminal as ANSI escape sequences.

use std::io::{self, Write};

use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};
use rustix::stdio::stdout;
use rustix::termios::tcgetwinsize;

use super::terminal_mode;
use crate::safe_text::is_command;

/// The size of a terminal that reports none.
const USUAL: Size = Size { width: 80, height: 24 };

/// Most columns and cells: more than the largest screen has.
const WIDEST: u16 = 2_000;
const MOST_CELLS: u32 = 500_000;

/// The colours and weights of a cell.
type Look = (Color, Color, Modifier);

const PLAIN: Look = (Color::Reset, Color::Reset, Modifier::empty());

/// Standard output, with codes that every current terminal supports. Only the 16 colours of the user's theme are used.
///
/// Control characters in cells are replaced.
#[derive(Debug)]
pub(crate) struct Ansi {
    /// Output of the current frame: one frame is one write.
    out: Vec<u8>,
    /// The position of the next character, if it is certain.
    at: Option<Position>,
    look: Look,
    is_cursor_shown: bool,
}

impl Ansi {
    /// A terminal with the cursor hidden.
    pub(crate) fn new() -> Self {
        Self { out: Vec::new(), at: None, look: PLAIN, is_cursor_shown: false }
    }

    fn go(&mut self, x: u16, y: u16) {
        let to = Position { x, y };
        if self.at != Some(to) {
            self.write_code(format_args!("\x1b[{};{}H", u32::from(y) + 1, u32::from(x) + 1));
            self.at = Some(to);
        }
    }

    fn put(&mut self, x: u16, y: u16, cell: &Cell) {
        self.go(x, y);
        self.set_style((cell.fg, cell.bg, cell.modifier));
        for character in cell.symbol().chars() {
            let shown = if is_command(character) { char::REPLACEMENT_CHARACTER } else { character };
            self.out.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
        }
        // Terminals disagree about the width of other characters, so the position is set again after them.
        self.at = cell.symbol().is_ascii().then_some(Position { x: x + 1, y });
    }

    fn set_style(&mut self, look: Look) {
        if self.look != look {
            let (text, ground, modifier) = look;
            self.write_code(format_args!("\x1b[0"));
            for (_, code) in WEIGHTS.iter().filter(|(weight, _)| modifier.contains(*weight)) {
                self.write_code(format_args!(";{code}"));
            }
            for code in [colour(text), colour(ground).map(|code| code + 10)].into_iter().flatten() {
                self.write_code(format_args!(";{code}"));
            }
            self.out.push(b'm');
            self.look = look;
        }
    }

    fn write_code(&mut self, code: std::fmt::Arguments<'_>) {
        self.out.write_fmt(code).expect("writing to a vector");
    }

    fn cursor(&mut self, shown: bool) {
        if self.is_cursor_shown != shown {
            self.out.extend_from_slice(if shown { b"\x1b[?25h" } else { b"\x1b[?25l" });
            self.is_cursor_shown = shown;
        }
    }
}

const WEIGHTS: &[(Modifier, u8)] = &[
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
];

/// The code of a text colour, if it is one of the sixteen; that of a background is ten more.
fn colour(colour: Color) -> Option<u8> {
    Some(match colour {
        Color::Black => 30,
        Color::Red => 31,
        Color::Green => 32,
        Color::Yellow => 33,
        Color::Blue => 34,
        Color::Magenta => 35,
        Color::Cyan => 36,
        Color::Gray => 37,
        Color::DarkGray => 90,
        Color::LightRed => 91,
        Color::LightGreen => 92,
        Color::LightYellow => 93,
        Color::LightBlue => 94,
        Color::LightMagenta => 95,
        Color::LightCyan => 96,
        Color::White => 97,
        Color::Reset | Color::Rgb(..) | Color::Indexed(_) => return None,
    })
}

impl Backend for Ansi {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        content.for_each(|(x, y, cell)| self.put(x, y, cell));
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.cursor(false);
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.cursor(true);
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.at.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        self.go(x, y);
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.set_style(PLAIN);
        self.out.extend_from_slice(match clear_type {
            ClearType::All => b"\x1b[2J",
            ClearType::AfterCursor => b"\x1b[0J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[0K",
        });
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        let size = tcgetwinsize(stdout())?;
        Ok(sensible(size.ws_col, size.ws_row))
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = terminal_mode::write(&self.out);
        self.out.clear();
        result
    }
}

/// The size to draw for a terminal that reports this one: the usual size for 0, and limited to protect memory.
fn sensible(columns: u16, rows: u16) -> Size {
    let or_usual = |reported: u16, usual: u16| if reported == 0 { usual } else { reported };
    let width = or_usual(columns, USUAL.width).min(WIDEST);
    let highest = u16::try_from(MOST_CELLS / u32::from(width)).unwrap_or(u16::MAX);
    Size::new(width, or_usual(rows, USUAL.height).min(highest))
}

#[cfg(test)]
mod tests {
    use ratatui_core::buffer::Buffer;
    use ratatui_core::layout::Rect;
    use ratatui_core::style::Style;

    use super::*;

    fn check(text: &str, style: Style, expected: &str) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        buffer.set_string(0, 0, text, style);
        let mut ansi = Ansi::new();
        let cells = Buffer::empty(buffer.area);
        ansi.draw(cells.diff(&buffer).into_iter()).expect("writing to a vector");
        assert_eq!(String::from_utf8(ansi.out).expect("text"), expected, "{text}");
    }

    #[test]
    fn limits_the_size_of_the_terminal() {
        let check = |columns, rows, expected: (u16, u16)| {
            let Size { width, height } = sensible(columns, rows);
            assert_eq!((width, height), expected);
        };
        check(80, 24, (80, 24));
        check(0, 0, (USUAL.width, USUAL.height));
        check(400, 200, (400, 200));
        check(u16::MAX, u16::MAX, (2_000, 250));
        check(1, u16::MAX, (1, u16::MAX));
    }

    #[test]
    fn writes_adjacent_cells_without_positions() {
        check("text", Style::new(), "\u{1b}[1;1Htext");
        let failed = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
        check("no", failed, "\u{1b}[1;1H\u{1b}[0;1;31mno");
        check("no", Style::new().bg(Color::LightBlue), "\u{1b}[1;1H\u{1b}[0;104mno");
        check("no", Style::new().fg(Color::Rgb(1, 2, 3)), "\u{1b}[1;1H\u{1b}[0mno");
    }

    #[test]
    fn sets_the_position_again_after_wide_characters() {
        check("東a", Style::new(), "\u{1b}[1;1H東\u{1b}[1;3Ha");
    }

    #[test]
    fn replaces_control_characters_in_cells() {
        let mut ansi = Ansi::new();
        let mut cell = Cell::default();
        cell.set_symbol("\u{1b}]0;evil\u{7}\u{9b}1m\u{202e}\r\n");
        ansi.put(0, 0, &cell);
        let written = String::from_utf8(ansi.out).expect("text");
        assert_eq!(written, "\u{1b}[1;1H\u{fffd}]0;evil\u{fffd}\u{fffd}1m\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn an_unchanged_cursor_writes_nothing() {
        let mut ansi = Ansi::new();
        ansi.hide_cursor().expect("nothing to do");
        assert!(ansi.out.is_empty());
        ansi.show_cursor().expect("one code");
        ansi.show_cursor().expect("nothing to do");
        assert_eq!(ansi.out, b"\x1b[?25h");
    }
}
