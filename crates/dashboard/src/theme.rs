//! Colours and styles.

use ratatui_core::style::{Color, Modifier, Style};

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As declared.
    Good,
    /// Changed.
    Change,
    /// Failed.
    Bad,
    /// Needs attention, but has not failed itself.
    Warning,
    /// Information about the watch as a whole.
    Info,
    /// No meaning.
    Plain,
}

/// Important text.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Unimportant text.
pub(crate) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

/// Ordinary text.
pub(crate) const PLAIN: Style = Style::new();

/// The selected line.
pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Styles by meaning. No information is in the colour alone; without colour, bold and dim text remain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    has_colour: bool,
}

impl Theme {
    /// A theme with or without colour.
    pub(crate) fn new(has_colour: bool) -> Self {
        Self { has_colour }
    }

    /// The style of a tone.
    pub(crate) fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Good => self.coloured(Color::Green),
            Tone::Change => self.coloured(Color::Yellow),
            Tone::Bad => self.coloured(Color::Red).add_modifier(Modifier::BOLD),
            Tone::Warning => self.coloured(Color::Magenta),
            Tone::Info => self.coloured(Color::Cyan),
            Tone::Plain => Style::new(),
        }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.has_colour { Style::new().fg(colour) } else { Style::new() }
    }
}
