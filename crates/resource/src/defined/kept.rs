//! What schemas consist of lives as long as the program. Equal parts are kept once, so that a watch whose kinds are
//! edited again and again keeps only what was never there before.

use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::sync::{LazyLock, Mutex, PoisonError};

use uphold_model::Value;

/// What was kept, by its type and its `Debug` text.
type Kept = HashMap<(TypeId, String), Box<dyn Any + Send>>;

static PARTS: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
static TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
static VALUES: Mutex<Vec<&'static Value>> = Mutex::new(Vec::new());

/// Keeps one thing for good. Its `Debug` text must tell it apart from others of its type.
pub fn keep<T: Debug + Send + Sync + 'static>(made: T) -> &'static T {
    intern(format!("{made:?}"), || Box::leak(Box::new(made)))
}

/// Keeps several, like [`keep`].
pub fn keep_all<T: Debug + Send + Sync + 'static>(all: impl IntoIterator<Item = T>) -> &'static [T] {
    let all: Vec<T> = all.into_iter().collect();
    if all.is_empty() {
        return &[];
    }
    intern(format!("{all:?}"), || Vec::leak(all))
}

/// Keeps a text.
pub fn keep_text(text: &str) -> &'static str {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = texts.get(text) {
        return kept;
    }
    let kept: &'static str = String::leak(text.to_owned());
    texts.insert(kept);
    kept
}

/// Keeps a value; equal ones are one, so that their address tells them apart.
pub fn keep_value(value: Value) -> &'static Value {
    let mut values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = values.iter().find(|kept| ***kept == value) {
        return kept;
    }
    let kept: &'static Value = Box::leak(Box::new(value));
    values.push(kept);
    kept
}

fn intern<T: ?Sized + Sync + 'static>(text: String, leak: impl FnOnce() -> &'static T) -> &'static T {
    let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = parts.entry((TypeId::of::<&'static T>(), text)).or_insert_with(|| Box::new(leak()));
    slot.downcast_ref::<&'static T>().unwrap_or_else(|| unreachable!("the type is a part of the key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_are_kept_once() {
        assert!(std::ptr::eq(keep_text("one text"), keep_text(&String::from("one text"))));
        assert!(std::ptr::eq(keep_all(["a", "b"]), keep_all(vec!["a", "b"])));
        assert!(!std::ptr::eq(keep_all(["a", "b"]), keep_all(["a", "c"])));
        assert!(std::ptr::eq(keep((1, "x")), keep((1, "x"))));
    }

    /// The text of a value does not tell whole numbers from others, nor bytes from each other.
    #[test]
    fn values_that_differ_are_told_apart() {
        let bytes = |byte: u8| keep_value(Value::Bytes([byte].into()));
        assert!(std::ptr::eq(bytes(1), bytes(1)));
        assert!(!std::ptr::eq(bytes(1), bytes(2)));
        assert!(!std::ptr::eq(keep_value(Value::Int(1)), keep_value(Value::Float(1.0))));
    }
}
