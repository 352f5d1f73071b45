//! Interned parts of schemas. They live as long as the program; equal parts are stored once, so that a watch whose kinds
//! are edited again and again grows only with new parts.

use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::sync::LazyLock;

use uphold_model::{Mutex, Value};

/// Interned parts by their type and `Debug` output.
type Interned = HashMap<(TypeId, String), Box<dyn Any + Send>>;

static PARTS: LazyLock<Mutex<Interned>> = LazyLock::new(Mutex::default);
static TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
static VALUES: Mutex<Vec<&'static Value>> = Mutex::new(Vec::new());

/// Interns a value for the life of the program. Its `Debug` output must distinguish it from other values of its type.
pub fn keep<T: Debug + Send + Sync + 'static>(made: T) -> &'static T {
    intern(format!("{made:?}"), || Box::leak(Box::new(made)))
}

/// Interns a slice of values, like [`keep`].
pub fn keep_all<T: Debug + Send + Sync + 'static>(all: impl IntoIterator<Item = T>) -> &'static [T] {
    let all: Vec<T> = all.into_iter().collect();
    if all.is_empty() {
        return &[];
    }
    intern(format!("{all:?}"), || Vec::leak(all))
}

/// Interns a string.
pub fn intern_str(text: &str) -> &'static str {
    let mut texts = TEXTS.lock();
    if let Some(kept) = texts.get(text) {
        return kept;
    }
    let kept: &'static str = String::leak(text.to_owned());
    texts.insert(kept);
    kept
}

/// Interns a value. Equal values have the same address.
pub fn intern_value(value: Value) -> &'static Value {
    let mut values = VALUES.lock();
    if let Some(kept) = values.iter().find(|kept| ***kept == value) {
        return kept;
    }
    let kept: &'static Value = Box::leak(Box::new(value));
    values.push(kept);
    kept
}

fn intern<T: ?Sized + Sync + 'static>(text: String, leak: impl FnOnce() -> &'static T) -> &'static T {
    let mut parts = PARTS.lock();
    let slot = parts.entry((TypeId::of::<&'static T>(), text)).or_insert_with(|| Box::new(leak()));
    slot.downcast_ref::<&'static T>().unwrap_or_else(|| unreachable!("the type is a part of the key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interns_equal_parts_once() {
        assert!(std::ptr::eq(intern_str("one text"), intern_str(&String::from("one text"))));
        assert!(std::ptr::eq(keep_all(["a", "b"]), keep_all(vec!["a", "b"])));
        assert!(!std::ptr::eq(keep_all(["a", "b"]), keep_all(["a", "c"])));
        assert!(std::ptr::eq(keep((1, "x")), keep((1, "x"))));
    }

    /// `Debug` output does not distinguish whole numbers from others, nor bytes from each other.
    #[test]
    fn interns_different_values_apart() {
        let bytes = |byte: u8| intern_value(Value::Bytes([byte].into()));
        assert!(std::ptr::eq(bytes(1), bytes(1)));
        assert!(!std::ptr::eq(bytes(1), bytes(2)));
        assert!(!std::ptr::eq(intern_value(Value::Int(1)), intern_value(Value::Float(1.0))));
    }
}
