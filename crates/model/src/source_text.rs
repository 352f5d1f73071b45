//! The text of a source.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The text of a source. Clones share it.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceText(Memory);

#[derive(Clone, Eq)]
enum Memory {
    /// Freed with its last user.
    Shared(Arc<String>),
    /// Stays until the process ends.
    Static(&'static str),
}

impl SourceText {
    /// A text that stays in memory until the process ends. It is not copied.
    pub fn from_static(text: &'static str) -> Self {
        Self(Memory::Static(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self
    }

    /// The text without a byte order mark.
    pub(crate) fn without_mark(self) -> Self {
        match (&self.0, self.strip_prefix('\u{feff}')) {
            (_, None) => self,
            (Memory::Static(text), Some(_)) => Self::from_static(&text['\u{feff}'.len_utf8()..]),
            (Memory::Shared(_), Some(rest)) => Self::from(rest),
        }
    }
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Deref for Memory {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Memory::Shared(text) => text,
            Memory::Static(text) => text,
        }
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<String> for SourceText {
    fn from(text: String) -> Self {
        Self(Memory::Shared(Arc::new(text)))
    }
}

/// Copies the text.
impl From<&str> for SourceText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// Copies the text.
impl From<&String> for SourceText {
    fn from(text: &String) -> Self {
        Self::from(text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let check = |text: SourceText| assert_eq!(&*text.without_mark(), "a = 1");
        for text in ["a = 1", "\u{feff}a = 1"] {
            check(SourceText::from(text));
            check(SourceText::from_static(text));
        }
    }
}
