//! Table-driven tests of the document formats.

use uphold_resource::{Context, Parsed, Property, Value};

use super::key_path::KeyPath;
use super::{Documents, Format, edit};

/// Checks edits of documents in one format.
pub(crate) struct Trial<F>(pub(crate) F);

/// A map of numbers.
pub(crate) fn map(entries: &[(&str, i64)]) -> Value {
    Value::map(entries.iter().map(|(key, value)| (*key, Value::Int(*value))))
}

fn path(key: &str) -> KeyPath {
    KeyPath::from_value(&Value::text(key), &Context::NOTHING).expect("a key path")
}

fn look<F: Format>(format: &F, content: &[u8], key: &KeyPath) -> uphold_resource::Result<Option<Value>> {
    Ok(Documents::<F>::parse(content)?.look(format, key)?.cloned())
}

fn shown(result: uphold_resource::Result<Vec<u8>>) -> String {
    result.map_or_else(|error| error.chain(), |text| String::from_utf8(text).expect("text"))
}

impl<F: Format> Trial<F> {
    /// Setting `value` at `key` turns `before` into `after`; the value is then found, and setting it again changes
    /// nothing.
    #[track_caller]
    pub(crate) fn put(&self, before: &str, key: &str, value: impl Into<Value>, after: &str) {
        let (key, value) = (path(key), value.into());
        let edited = shown(edit(&self.0, before.as_bytes(), &key, Some(&value)));
        assert_eq!(edited, after, "{before:?} {key}");
        let found = look(&self.0, edited.as_bytes(), &key).expect("it parses").expect("the value exists");
        assert!(super::value_tree::same(&found, &value), "{found} instead of {value}");
        assert_eq!(shown(edit(&self.0, edited.as_bytes(), &key, Some(&value))), after);
    }

    /// Removing `key` turns `before` into `after`.
    #[track_caller]
    pub(crate) fn remove(&self, before: &str, key: &str, after: &str) {
        assert_eq!(shown(edit(&self.0, before.as_bytes(), &path(key), None)), after, "{before:?} {key}");
        let found = look(&self.0, after.as_bytes(), &path(key)).expect("it parses");
        assert!(found.is_none() || key.ends_with(']'), "{found:?}");
    }

    /// Setting `value` at `key` fails with a message that contains `why`.
    #[track_caller]
    pub(crate) fn refuse(&self, before: &str, key: &str, value: impl Into<Value>, why: &str) {
        let text = shown(edit(&self.0, before.as_bytes(), &path(key), Some(&value.into())));
        assert!(text.contains(why), "{before:?} {key}: {text}");
    }

    /// The same with both kinds of line endings.
    #[track_caller]
    pub(crate) fn put_on_lines(&self, before: &str, key: &str, value: impl Into<Value>, after: &str) {
        let value = value.into();
        self.put(before, key, value.clone(), after);
        self.put(&before.replace('\n', "\r\n"), key, value, &after.replace('\n', "\r\n"));
    }
}

/// Lines of random documents: valid ones, invalid ones, and ones that are hard to edit.
const LINES: &[&str] = &[
    "a: 1",
    "b:",
    "c: [1, {d: e}]",
    "- x",
    "- y: 1",
    "-",
    "# comment",
    "k: |",
    "text",
    "'q': \"v\"",
    "é: ü # ä",
    "a: &x 1",
    "f: *x",
    "---",
    "? z",
    "{",
    "}",
    "[",
    "]",
    "\"a\": 1,",
    "\"b\": {",
    "// c",
    "a = 1",
    "[t]",
    "[[p]]",
    "x.y = { z = 1 }",
    "l = [1,",
    "2]",
    "\"",
    "'''",
    "{}",
    "a: {}",
    "a: []",
    "<<: *x",
    "!t",
    "a:    b",
    "a:\tb",
    "\u{feff}",
    "a: >-",
    "...",
];

/// The next number of a deterministic sequence.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Random edits succeed or are refused, and never panic. Returns the number of successes.
pub(crate) fn fuzz(format: &impl Format, rounds: usize) -> usize {
    let keys = ["a", "b.c", "[0]", "c[1].d", "é", "k", "t.a", "p[1]", "x.y.z"].map(path);
    let values = [
        Value::Int(2),
        Value::text("two\nlines"),
        Value::list([Value::Null, Value::map([("m", Value::text("é"))])]),
        Value::map::<&str>([]),
    ];
    let mut seed = 1;
    let edits = (0..rounds).filter(|_| {
        let lines = (0..next(&mut seed) % 7).map(|_| {
            let indent = [0, 0, 2, 4][next(&mut seed) % 4];
            let end = ["\n", "\n", "\n", "\r\n", ""][next(&mut seed) % 5];
            format!("{:indent$}{}{end}", "", LINES[next(&mut seed) % LINES.len()])
        });
        let document: String = lines.collect();
        let key = &keys[next(&mut seed) % keys.len()];
        let value = values.get(next(&mut seed) % 5);
        edit(format, document.as_bytes(), key, value).is_ok()
    });
    edits.count()
}
