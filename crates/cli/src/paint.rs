//! Colour.

use std::fmt;

use anstyle::{AnsiColor, Effects, Style};

pub(crate) use uphold::clean;

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const CHANGED: Style = AnsiColor::Yellow.on_default();
const RUN: Style = AnsiColor::Magenta.on_default();
const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const HINT: Style = AnsiColor::Cyan.on_default();
const FAINT: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();

/// Puts colour on text, or leaves it alone. What a colour says, a sign or a word says too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Colour, if it is `on`.
    pub(crate) fn new(on: bool) -> Self {
        Self { on }
    }

    /// Whether there is colour.
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    /// What is there afterwards and was not before.
    pub(crate) fn added<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(ADDED, text)
    }

    /// What was there and is not afterwards.
    pub(crate) fn removed<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(REMOVED, text)
    }

    /// What is there before and after, differently.
    pub(crate) fn changed<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(CHANGED, text)
    }

    /// What runs.
    pub(crate) fn run<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(RUN, text)
    }

    /// What is wrong.
    pub(crate) fn error<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(ERROR, text)
    }

    /// What to do about it.
    pub(crate) fn hint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(HINT, text)
    }

    /// What is not read first.
    pub(crate) fn faint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(FAINT, text)
    }

    /// What is read first.
    pub(crate) fn strong<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(STRONG, text)
    }

    /// The part of a changed line that differs.
    pub(crate) fn emphasis<T: fmt::Display>(self, added: bool, text: T) -> Painted<T> {
        let style = if added { ADDED } else { REMOVED };
        self.with(style.effects(Effects::BOLD.insert(Effects::UNDERLINE)), text)
    }

    fn with<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: self.on.then_some(style), text }
    }
}

/// Text with its colour.
pub(crate) struct Painted<T> {
    style: Option<Style>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            Some(style) => write!(f, "{style}{}{style:#}", self.text),
            None => self.text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_only_there_when_asked_for() {
        assert_eq!(Paint::new(false).added("x").to_string(), "x");
        assert_eq!(Paint::new(true).added("x").to_string(), "\u{1b}[32mx\u{1b}[0m");
    }
}
