//! The source of a script.

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
    /// The place of a line, without leading and trailing white space.
    pub fn line(&self, line: usize) -> Option<Place> {
        let start: usize = self.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
        let text = self.text[start..].lines().next()?;
        let start = start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        Some(Place { source: self.source, start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? })
    }
}
