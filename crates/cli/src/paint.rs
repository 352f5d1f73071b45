//! Colour.

use std::fmt;

use anstyle::{AnsiColor, Effects, Style};

pub(crate) use uphold::clean;

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

    /// The part of an added or removed line that differs.
    pub(crate) fn emphasis<T: fmt::Display>(self, added: bool, text: T) -> Painted<T> {
        let colour = if added { AnsiColor::Green } else { AnsiColor::Red };
        self.with(colour.on_default().effects(Effects::BOLD.insert(Effects::UNDERLINE)), text)
    }

    fn with<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: self.on.then_some(style), text }
    }
}

/// A method for each style.
macro_rules! styles {
    ($($name:ident: $style:expr;)*) => {
        impl Paint {
            $(pub(crate) fn $name<T: fmt::Display>(self, text: T) -> Painted<T> {
                self.with($style, text)
            })*
        }
    };
}

styles! {
    added: AnsiColor::Green.on_default();
    removed: AnsiColor::Red.on_default();
    // Also used for warnings.
    changed: AnsiColor::Yellow.on_default();
    run: AnsiColor::Magenta.on_default();
    error: AnsiColor::Red.on_default().effects(Effects::BOLD);
    hint: AnsiColor::Cyan.on_default();
    faint: Style::new().dimmed();
    strong: Style::new().bold();
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
