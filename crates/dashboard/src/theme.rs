//! How things look.

use ratatui_core::style::{Color, Modifier, Style};

/// How something is or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As it should be.
    Good,
    /// It was changed.
    Change,
    /// It went wrong.
    Bad,
    /// Not wrong by itself, and not as it should be.
    Doubtful,
    /// About the watch as a whole.
    News,
    /// Nothing to say.
    Plain,
}

/// Read first.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Not read first.
pub(crate) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

/// Neither.
pub(crate) const PLAIN: Style = Style::new();

/// What the keys are about.
pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Colours by what they mean. What a colour says, a word says too; without colour, weight is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    has_colour: bool,
}

impl Theme {
    /// With colour, if that is wanted.
    pub(crate) fn new(has_colour: bool) -> Self {
        Self { has_colour }
    }

    /// As it was or went.
    pub(crate) fn mood(self, mood: Mood) -> Style {
        match mood {
            Mood::Good => self.coloured(Color::Green),
            Mood::Change => self.coloured(Color::Yellow),
            Mood::Bad => self.coloured(Color::Red).add_modifier(Modifier::BOLD),
            Mood::Doubtful => self.coloured(Color::Magenta),
            Mood::News => self.coloured(Color::Cyan),
            Mood::Plain => Style::new(),
        }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.has_colour { Style::new().fg(colour) } else { Style::new() }
    }
}
