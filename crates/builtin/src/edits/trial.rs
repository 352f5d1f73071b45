//! For the tests of the formats: text in, text out.

use uphold_resource::{Context, Property, Value};

use super::format::{Format, edit, look};
use super::key_path::KeyPath;

/// A format, and a table of what becomes of documents.
pub(crate) struct Trial<F>(pub(crate) F);

fn path(key: &str) -> KeyPath {
    KeyPath::from_value(&Value::text(key), &Context::NOTHING).expect("a key path")
}

fn shown(result: uphold_resource::Result<Vec<u8>>) -> String {
    result.map_or_else(|error| error.chain(), |text| String::from_utf8(text).expect("text"))
}

impl<F: Format> Trial<F> {
    /// `value` at `key` makes `after` of `before`; then it is there, and to ask for it again changes nothing.
    #[track_caller]
    pub(crate) fn put(&self, before: &str, key: &str, value: impl Into<Value>, after: &str) {
        let (key, value) = (path(key), value.into());
        let edited = shown(edit(&self.0, before.as_bytes(), &key, Some(&value)));
        assert_eq!(edited, after, "{before:?} {key}");
        let found = look(&self.0, edited.as_bytes(), &key).expect("it can be read").expect("it is there");
        assert!(super::datum::same(&found, &value), "{found} instead of {value}");
        assert_eq!(shown(edit(&self.0, edited.as_bytes(), &key, Some(&value))), after);
    }

    /// Without what is at `key`, `before` becomes `after`.
    #[track_caller]
    pub(crate) fn remove(&self, before: &str, key: &str, after: &str) {
        assert_eq!(shown(edit(&self.0, before.as_bytes(), &path(key), None)), after, "{before:?} {key}");
        let found = look(&self.0, after.as_bytes(), &path(key)).expect("it can be read");
        assert!(found.is_none() || key.ends_with(']'), "{found:?}");
    }

    /// To put `value` at `key` fails, and says `why`.
    #[track_caller]
    pub(crate) fn refuse(&self, before: &str, key: &str, value: impl Into<Value>, why: &str) {
        let said = shown(edit(&self.0, before.as_bytes(), &path(key), Some(&value.into())));
        assert!(said.contains(why), "{before:?} {key}: {said}");
    }

    /// The same for both line ends of the world.
    #[track_caller]
    pub(crate) fn put_on_lines(&self, before: &str, key: &str, value: impl Into<Value>, after: &str) {
        let value = value.into();
        self.put(before, key, value.clone(), after);
        self.put(&before.replace('\n', "\r\n"), key, value, &after.replace('\n', "\r\n"));
    }
}
