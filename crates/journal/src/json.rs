//! JSON of the records that a run writes for each resource. Their names are constant and their values short, so that they are
//! appended to one string, without a serializer. The types derive the reader; tests compare both.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use serde::Serialize;

/// A value that can be appended as JSON.
pub(crate) trait ToJson {
    fn add_to(&self, json: &mut String);
}

/// An object that is being appended.
pub(crate) struct Object<'j> {
    json: &'j mut String,
    /// The text before the next field.
    before: char,
}

impl<'j> Object<'j> {
    pub(crate) fn begin(json: &'j mut String) -> Self {
        Self { json, before: '{' }
    }

    /// The rest of an object whose first field is there.
    pub(crate) fn after_first(json: &'j mut String) -> Self {
        Self { json, before: ',' }
    }

    /// Adds a field. The name must need no escapes.
    #[inline]
    pub(crate) fn add(&mut self, name: &str, value: &(impl ToJson + ?Sized)) {
        self.json.push(std::mem::replace(&mut self.before, ','));
        self.json.push('"');
        self.json.push_str(name);
        self.json.push_str("\":");
        value.add_to(self.json);
    }

    /// Adds a field if there is a value.
    #[inline]
    pub(crate) fn add_some(&mut self, name: &str, value: Option<&(impl ToJson + ?Sized)>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    pub(crate) fn end(self) {
        if self.before == '{' {
            self.json.push('{');
        }
        self.json.push('}');
    }
}

/// A value that is rarely written, or has little to write: its serializer makes the JSON.
pub(crate) struct Serialized<'v, T>(pub(crate) &'v T);

impl<T: Serialize> ToJson for Serialized<'_, T> {
    fn add_to(&self, json: &mut String) {
        // Only a map whose names are no strings cannot be written, and there is none.
        json.push_str(serde_json::to_string(self.0).as_deref().unwrap_or("null"));
    }
}

impl ToJson for str {
    fn add_to(&self, json: &mut String) {
        // All bytes are looked at, so that the compiler can compare many at once.
        if self.bytes().fold(false, |found, byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\')) {
            return Serialized(&self).add_to(json);
        }
        json.push('"');
        json.push_str(self);
        json.push('"');
    }
}

impl ToJson for String {
    fn add_to(&self, json: &mut String) {
        self.as_str().add_to(json);
    }
}

impl ToJson for bool {
    fn add_to(&self, json: &mut String) {
        json.push_str(if *self { "true" } else { "false" });
    }
}

/// A whole number.
pub(crate) struct Number<N>(pub(crate) N);

impl<N: Display> ToJson for Number<N> {
    fn add_to(&self, json: &mut String) {
        // A String takes any text.
        _ = write!(json, "{}", self.0);
    }
}

impl ToJson for u64 {
    fn add_to(&self, json: &mut String) {
        Number(self).add_to(json);
    }
}

impl<T: ToJson> ToJson for [T] {
    fn add_to(&self, json: &mut String) {
        json.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            item.add_to(json);
        }
        json.push(']');
    }
}

impl<T: ToJson> ToJson for BTreeMap<String, T> {
    fn add_to(&self, json: &mut String) {
        json.push('{');
        for (index, (name, value)) in self.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            name.add_to(json);
            json.push(':');
            value.add_to(json);
        }
        json.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_json(value: &(impl ToJson + ?Sized)) -> String {
        let mut json = String::new();
        value.add_to(&mut json);
        json
    }

    #[test]
    fn strings_are_those_of_the_serializer() {
        for text in ["", "plain", "é ∂", "a\"b", "\\", "line\nline", "\u{0}\u{1f}", "\u{7f}\u{2028}"] {
            assert_eq!(to_json(text), serde_json::to_string(text).unwrap());
        }
        let map = BTreeMap::from([("a\"".to_owned(), true), ("b".to_owned(), false)]);
        assert_eq!(to_json(&map), serde_json::to_string(&map).unwrap());
        let list = ["x".to_owned(), "y".to_owned()];
        assert_eq!(to_json(list.as_slice()), serde_json::to_string(&list).unwrap());
        assert_eq!(to_json(&Number(-7)), "-7");
    }

    #[test]
    fn an_object_without_fields_is_empty() {
        let mut json = String::new();
        Object::begin(&mut json).end();
        assert_eq!(json, "{}");
    }
}
