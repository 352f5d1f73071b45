//! Size limits of results, and a string that enforces them.

use std::fmt;

use uphold_model::Value;

use crate::call::Fault;

/// The maximum length of a string in bytes: far more than any configured file, far less than the memory of a machine.
pub(crate) const LONGEST_TEXT: usize = 16 << 20;

/// The maximum number of elements of a list or a map.
pub(crate) const MOST_ELEMENTS: usize = 1_000_000;

/// The maximum nesting of data. Functions over values are recursive, so this bounds the stack.
pub(crate) const DEEPEST: usize = 128;

/// The maximum number of parts in arguments. Shared parts count each time, so that a small value cannot expand
/// endlessly.
pub(crate) const MOST_PARTS: usize = 4_000_000;

/// A string that cannot grow beyond the limit.
#[derive(Debug, Default)]
pub(crate) struct Bounded {
    text: String,
}

impl Bounded {
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Fault> {
        self.reserve(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    /// Appends `text` this many times.
    pub(crate) fn repeat(&mut self, text: &str, times: usize) -> Result<(), Fault> {
        self.reserve(text.len().saturating_mul(times))?;
        self.text.extend(std::iter::repeat_n(text, times));
        Ok(())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_value(self) -> Value {
        Value::text(self.text)
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    fn reserve(&self, more: usize) -> Result<(), Fault> {
        if self.text.len().saturating_add(more) <= LONGEST_TEXT { Ok(()) } else { Err(too_long()) }
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text).map_err(|_| fmt::Error)
    }
}

/// The error for a string beyond [`LONGEST_TEXT`].
pub(crate) fn too_long() -> Fault {
    Fault::new("the result would be longer than 16 MiB")
}

/// The error for a list beyond [`MOST_ELEMENTS`].
pub(crate) fn too_many() -> Fault {
    Fault::new("the result would have more than 1000000 elements")
}

/// The error for data beyond [`DEEPEST`].
pub(crate) fn too_deep() -> Fault {
    Fault::new(format!("the data is nested more than {DEEPEST} levels deep"))
}

/// Collects values into a list, up to the limit.
pub(crate) fn list(items: impl IntoIterator<Item = Result<Value, Fault>>) -> Result<Value, Fault> {
    let mut list = Vec::new();
    for item in items {
        if list.len() == MOST_ELEMENTS {
            return Err(too_many());
        }
        list.push(item?);
    }
    Ok(Value::List(list.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_lists_stop_at_their_bounds() {
        let mut text = Bounded::default();
        assert_eq!(text.repeat("ab", LONGEST_TEXT / 2), Ok(()));
        assert_eq!(text.push("x"), Err(too_long()));
        assert_eq!(text.repeat("x", usize::MAX), Err(too_long()));
        assert_eq!(text.as_str().len(), LONGEST_TEXT);

        let of = |count| list(std::iter::repeat_n(Ok(Value::Null), count));
        assert!(of(MOST_ELEMENTS).is_ok());
        assert_eq!(of(MOST_ELEMENTS + 1), Err(too_many()));
    }
}
