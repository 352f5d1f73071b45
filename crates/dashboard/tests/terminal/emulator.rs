//! A terminal emulator that supports the codes of the view, and panics at any other.

/// The state of the terminal.
#[derive(Debug)]
pub(crate) struct Emulator {
    wide: usize,
    cells: Vec<Vec<char>>,
    at: (usize, usize),
    /// An incomplete sequence or character.
    rest: Vec<u8>,
    /// Whether the output was drawn for the size before a resize.
    is_stale: bool,
    pub(crate) is_other_screen: bool,
    pub(crate) is_cursor_shown: bool,
    /// Text on the ordinary screen.
    pub(crate) ordinary: String,
    /// The number of bytes received.
    pub(crate) bytes: usize,
}

impl Emulator {
    pub(crate) fn new(wide: usize, high: usize) -> Self {
        Self {
            wide,
            cells: vec![vec![' '; wide]; high],
            at: (0, 0),
            rest: Vec::new(),
            is_stale: false,
            is_other_screen: false,
            is_cursor_shown: true,
            ordinary: String::new(),
            bytes: 0,
        }
    }

    /// Resizes the terminal. Output until the screen is cleared was drawn for the previous size.
    pub(crate) fn resize(&mut self, wide: usize, high: usize) {
        (self.wide, self.cells) = (wide, vec![vec![' '; wide]; high]);
        self.is_stale = true;
    }

    /// The lines of the screen.
    pub(crate) fn screen(&self) -> String {
        let line = |cells: &Vec<char>| {
            let text: String = cells.iter().filter(|character| **character != '\0').collect();
            text.trim_end().to_owned() + "\n"
        };
        self.cells.iter().map(line).collect()
    }

    /// Processes output.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        self.rest.extend_from_slice(bytes);
        loop {
            let whole = match str::from_utf8(&self.rest) {
                Ok(text) => text.to_owned(),
                Err(error) if error.error_len().is_none() => {
                    String::from_utf8_lossy(&self.rest[..error.valid_up_to()]).into_owned()
                }
                Err(error) => panic!("not UTF-8: {error}"),
            };
            let Some(taken) = self.take(&whole) else {
                return;
            };
            self.rest.drain(..taken);
        }
    }

    /// Processes one sequence or character, and returns its length; none if it is incomplete.
    fn take(&mut self, text: &str) -> Option<usize> {
        let first = text.chars().next()?;
        if first != '\u{1b}' {
            self.put(first);
            return Some(first.len_utf8());
        }
        let body = text.strip_prefix("\u{1b}[").or_else(|| {
            assert!(text.len() < 2, "an unknown escape sequence: {text:?}");
            None
        })?;
        let end = body.find(|character: char| character.is_ascii_alphabetic())?;
        self.obey(&body[..end], &body[end..=end]);
        Some(2 + end + 1)
    }

    fn obey(&mut self, parameters: &str, command: &str) {
        match (parameters, command) {
            ("?1049", "h" | "l") => self.is_other_screen = command == "h",
            ("?25", "h" | "l") => self.is_cursor_shown = command == "h",
            ("?2004", "h" | "l") | (_, "m") => {}
            ("2", "J") => {
                self.cells.iter_mut().for_each(|line| line.fill(' '));
                self.is_stale = false;
            }
            (_, "H") => {
                let mut numbers = parameters.split(';').map(|number| number.parse().unwrap_or(1));
                let (y, x) = (numbers.next().unwrap_or(1_usize), numbers.next().unwrap_or(1_usize));
                self.at = (x - 1, y - 1);
            }
            _ => panic!("an unexpected code: {parameters}{command}"),
        }
    }

    fn put(&mut self, character: char) {
        if !self.is_other_screen {
            self.ordinary.push(character);
            return;
        }
        if self.is_stale {
            return;
        }
        assert!(!character.is_control(), "a control character on the screen: {character:?}");
        let wide = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
        let (x, y) = self.at;
        assert!(y < self.cells.len() && x + wide <= self.wide, "{character:?} is beyond the screen");
        if wide > 0 {
            self.cells[y][x] = character;
            (x + 1..x + wide).for_each(|covered| self.cells[y][covered] = '\0');
        }
        self.at.0 += wide;
    }
}
