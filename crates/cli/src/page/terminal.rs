//! Pages for the terminal, wrapped to its width.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use super::block::{Block, Row};
use crate::Paint;

/// The widest lines, also on wider terminals, because longer ones are hard to read.
const WIDEST: usize = 100;

/// The width if standard output is no terminal, or its width is unknown.
const DEFAULT_WIDTH: usize = 80;

pub(crate) struct Terminal<'a> {
    page: &'a [Block],
    paint: Paint,
    width: usize,
}

impl<'a> Terminal<'a> {
    pub(crate) fn new(page: &'a [Block], paint: Paint) -> Self {
        Self { page, paint, width: terminal_width() }
    }
}

/// The number of columns of standard output.
pub(crate) fn terminal_width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).clamp(20, WIDEST))
}

impl fmt::Display for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, block) in self.page.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| &self.page[before]);
            if before.is_some_and(|before| is_apart(before, block)) {
                writeln!(f)?;
            }
            self.block(f, block)?;
        }
        Ok(())
    }
}

/// Whether an empty line separates two blocks: not after a heading, nor between items of a list.
fn is_apart(before: &Block, block: &Block) -> bool {
    let is_item = |block: &Block| matches!(block, Block::Text(text) if text.starts_with("- "));
    !(matches!(before, Block::Heading(_)) || is_item(before) && is_item(block))
}

impl Terminal<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
        match block {
            Block::Title(text) => writeln!(f, "{}", self.paint.strong(text)),
            Block::Heading(text) => writeln!(f, "{}", self.paint.strong(text)),
            Block::Text(text) => match text.strip_prefix("- ") {
                Some(item) => self.item(f, item),
                None => self.text(f, text, 0),
            },
            Block::Code(text) => text
                .lines()
                .try_for_each(|line| writeln!(f, "{}{line}", if line.is_empty() { "" } else { "  " })),
            Block::Properties(rows) => rows.iter().try_for_each(|row| self.row(f, row)),
            Block::Terms(terms) => self.terms(f, terms),
        }
    }

    fn text(&self, f: &mut fmt::Formatter<'_>, text: &str, indent: usize) -> fmt::Result {
        let lines = wrap(text, self.width.saturating_sub(indent));
        lines.iter().try_for_each(|line| writeln!(f, "{:indent$}{line}", ""))
    }

    /// An item of a list; its lines are aligned.
    fn item(&self, f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
        let lines = wrap(text, self.width.saturating_sub(2));
        let mark = |number| if number == 0 { "-" } else { " " };
        lines.iter().enumerate().try_for_each(|(number, line)| writeln!(f, "{} {line}", mark(number)))
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        let facts = [row.ty.as_str(), row.role, &row.presence].join(" · ");
        write!(f, "  {}  ", self.paint.strong(&row.name))?;
        let indent = row.name.width() + 4;
        let lines = wrap(&facts, self.width.saturating_sub(indent));
        for (number, line) in lines.iter().enumerate() {
            let space = if number == 0 { 0 } else { indent };
            writeln!(f, "{:space$}{}", "", self.paint.faint(line))?;
        }
        if row.text.is_empty() { Ok(()) } else { self.text(f, &row.text, 6) }
    }

    fn terms(&self, f: &mut fmt::Formatter<'_>, terms: &[(String, String)]) -> fmt::Result {
        let column = terms.iter().map(|(term, _)| term.width()).max().unwrap_or(0) + 4;
        for (term, text) in terms {
            let gap = column - term.width() - 2;
            write!(f, "  {}{:gap$}", self.paint.strong(term), "")?;
            for (number, line) in wrap(text, self.width.saturating_sub(column)).iter().enumerate() {
                let space = if number == 0 { 0 } else { column };
                writeln!(f, "{:space$}{line}", "")?;
            }
        }
        Ok(())
    }
}

/// Wraps `text` to lines of at most `width` columns; a longer word has its own line. Returns at least one line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("at least one line exists");
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_between_words() {
        let check = |text: &str, width, expected: &[&str]| assert_eq!(wrap(text, width), expected, "{text}");
        check("one two three", 7, &["one two", "three"]);
        check("one two three", 6, &["one", "two", "three"]);
        check("unbreakable", 3, &["unbreakable"]);
        check("漢字 漢字", 8, &["漢字", "漢字"]);
        check("", 8, &[""]);
    }

    #[test]
    fn aligns_items_of_a_list() {
        let page = ["- one two three", "- four"].map(|text| Block::Text(text.to_owned()));
        let shown = Terminal { page: &page, paint: Paint::new(false), width: 10 }.to_string();
        assert_eq!(shown, "- one two\n  three\n- four\n");
    }

    #[test]
    fn formats_a_property() {
        let row = Row {
            name: "mode".to_owned(),
            ty: "mode".to_owned(),
            role: "state",
            presence: "optional".to_owned(),
            text: "Permission bits of the file.".to_owned(),
        };
        let page = [Block::Heading("Properties"), Block::Properties(vec![row])];
        let shown = Terminal { page: &page, paint: Paint::new(false), width: 24 }.to_string();
        let expected = "\
Properties
  mode  mode · state ·
        optional
      Permission bits of
      the file.
";
        assert_eq!(shown, expected);
    }
}
