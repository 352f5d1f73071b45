//! What a person types.

/// A key, as far as anything here listens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    /// A character with the control key.
    Control(char),
    /// Several characters at once, which nobody meant as keys.
    Pasted(String),
    /// The key of that name.
    Enter,
    /// The key of that name.
    Escape,
    /// The key of that name.
    Tab,
    /// Tab with shift.
    BackTab,
    /// The key that erases to the left.
    Backspace,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// The key of that name.
    PageUp,
    /// The key of that name.
    PageDown,
    /// The key of that name.
    Home,
    /// The key of that name.
    End,
}
