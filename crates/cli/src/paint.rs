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

/// Colours text if colour is on. Every colour only repeats what a sign or a word says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    pub(crate) fn new(on: bool) -> Self {
        Self { on }
    }

    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    pub(crate) fn added<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(ADDED, text)
    }

    pub(crate) fn removed<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(REMOVED, text)
    }

    /// Also used for warnings.
    pub(crate) fn changed<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(CHANGED, text)
    }

    pub(crate) fn run<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(RUN, text)
    }

    pub(crate) fn error<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(ERROR, text)
    }

    pub(crate) fn hint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(HINT, text)
    }

    pub(crate) fn faint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(FAINT, text)
    }

    pub(crate) fn strong<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with(STRONG, text)
    }

    /// The part of an added or removed line that differs.
    pub(crate) fn emphasis<T: fmt::Display>(self, added: bool, text: T) -> Painted<T> {
        let style = if added { ADDED } else { REMOVED };
        self.with(style.effects(Effects::BOLD.insert(Effects::UNDERLINE)), text)
    }

    fn with<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: self.on.then_some(style), text }
    }
}

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
    fn colours_only_when_enabled() {
        assert_eq!(Paint::new(false).added("x").to_string(), "x");
        assert_eq!(Paint::new(true).added("x").to_string(), "\u{1b}[32mx\u{1b}[0m");
    }
}
