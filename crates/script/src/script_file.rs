//! The source of a script.

use std::ops::Range;

use uphold_model::{Place, SourceId};

/// The source of a script, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct ScriptFile<'a> {
    /// Its path, as shown in messages.
    pub name: &'a str,
    /// Its number among the sources of the run.
    pub source: SourceId,
    /// The text.
    pub text: &'a str,
}

impl ScriptFile<'_> {
    /// The place of a line, without leading and trailing white space. After the end of the file, it is the last line
    /// that is not blank: there Luau reports a block that is not closed.
    pub fn line(&self, line: usize) -> Option<Place> {
        let line = match self.text_of(line) {
            Some(_) => line,
            None => {
                1 + self.text.lines().collect::<Vec<_>>().iter().rposition(|line| !line.trim().is_empty())?
            }
        };
        let text = self.text_of(line)?;
        let start = text.len() - text.trim_start().len();
        self.part(line, start..start + text.trim().len())
    }

    /// The place of a word in a line, if the line contains it exactly once.
    pub(crate) fn word(&self, line: usize, word: &str) -> Option<Place> {
        let mut found = self.text_of(line)?.match_indices(word);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => self.part(line, at..at + word.len()),
            _ => None,
        }
    }

    /// The place of the part of a line between the first and the last of these characters.
    pub(crate) fn between(&self, line: usize, mark: char) -> Option<Place> {
        let text = self.text_of(line)?;
        let (first, last) = (text.find(mark)?, text.rfind(mark)?);
        let end = if first == last { text.trim_end().len() } else { last + mark.len_utf8() };
        self.part(line, first..end)
    }

    fn text_of(&self, line: usize) -> Option<&str> {
        self.text.lines().nth(line.checked_sub(1)?)
    }

    /// The place of these bytes of a line.
    fn part(&self, line: usize, bytes: Range<usize>) -> Option<Place> {
        let before: usize = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let at = |byte: usize| u32::try_from(before + byte).ok();
        Some(Place { source: self.source, start: at(bytes.start)?, end: at(bytes.end)? })
    }
}
