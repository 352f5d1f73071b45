//! Keys.

/// A key that has an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    /// A character with the control key.
    Control(char),
    /// Pasted text, which is not interpreted as keys.
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
