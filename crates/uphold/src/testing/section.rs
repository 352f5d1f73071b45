//! A block of a test, and its values.

use std::cell::RefCell;
use std::path::PathBuf;

use uphold_config::{Console, WrittenBlock, WrittenExpression, WrittenTarget};
use uphold_model::{Code, Diagnostic, Map, Place, Value};

/// The collected errors.
pub(super) type Problems = RefCell<Vec<Diagnostic>>;

/// A block with valid syntax. Errors in its values are collected; such a value counts as not set.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) block: &'a WrittenBlock,
    pub(super) console: &'a Console,
    pub(super) problems: &'a Problems,
}

impl<'a> Section<'a> {
    /// The label.
    pub(super) fn label(&self) -> &'a str {
        self.block.labels.first().map_or("", String::as_str)
    }

    /// The label as a path.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let path = PathBuf::from(self.label());
        if !path.is_absolute() {
            self.wrong(
                self.block.place,
                format!("{:?} is not an absolute path", self.label()),
                "begin it with `/`",
            );
            return None;
        }
        Some(path)
    }

    /// Its blocks of this kind.
    pub(super) fn blocks(self, word: &'static str) -> impl Iterator<Item = Section<'a>> {
        let blocks = self.block.blocks.iter().filter(move |block| block.word == word);
        blocks.map(move |block| Section { block, ..self })
    }

    /// The location of another attribute or block than this one.
    pub(super) fn other_than(&self, name: &str) -> Option<Place> {
        let attributes = self.block.attributes.iter().filter(|attribute| attribute.name != name);
        let blocks = self.block.blocks.iter().filter_map(|block| block.place);
        attributes.map(|attribute| attribute.place).chain(blocks).next()
    }

    pub(super) fn expression(&self, name: &str) -> Option<&'a WrittenExpression> {
        self.block.attributes.iter().find(|attribute| attribute.name == name)?.expression.as_ref()
    }

    /// Whether the value is a secret.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let value = self.expression(name).map(|expression| self.console.value(expression));
        value.is_some_and(|value| value.is_ok_and(|value| value.is_sensitive()))
    }

    /// The value. A secret is revealed for the comparison.
    pub(super) fn value(&self, name: &str) -> Option<(Value, Place)> {
        let expression = self.expression(name)?;
        let value = match self.console.value(expression) {
            Ok(value) => revealed(&value),
            Err(found) => {
                self.problems.borrow_mut().extend(found);
                return None;
            }
        };
        if let Some(unknown) = value.first_unknown() {
            let detail = format!("{} is known only after apply", unknown.waits_for);
            self.wrong(expression.place, detail, "write the value");
            return None;
        }
        Some((value, expression.place))
    }

    /// The value, if `read` accepts it. Otherwise an error names what is `wanted`.
    fn read<T>(&self, name: &str, wanted: &str, read: impl Fn(&Value) -> Option<T>) -> Option<(T, Place)> {
        let (value, place) = self.value(name)?;
        read(&value).map(|value| (value, place)).or_else(|| self.unfit(name, &value, wanted, place))
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = |value: &Value| match value {
            Value::Text(text) => Some(text.to_string()),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        Some(self.read(name, "a string", text)?.0)
    }

    /// A string or a list of strings.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<(String, Place)>> {
        let (value, place) = self.value(name)?;
        let items = match value {
            Value::List(items) => items.to_vec(),
            single => vec![single],
        };
        let text = |item: Value| match item {
            Value::Text(text) => Some((text.to_string(), place)),
            other => self.unfit(name, &other, "a string, or a list of strings", place),
        };
        items.into_iter().map(text).collect()
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        let flag = |value: &Value| if let Value::Bool(flag) = value { Some(*flag) } else { None };
        Some(self.read(name, "true or false", flag)?.0)
    }

    pub(super) fn number<N: TryFrom<i64>>(&self, name: &str) -> Option<N> {
        let number =
            |value: &Value| if let Value::Int(number) = value { N::try_from(*number).ok() } else { None };
        Some(self.read(name, "a whole number in its range", number)?.0)
    }

    pub(super) fn map(&self, name: &str) -> Option<(Map, Place)> {
        self.read(
            name,
            "a map",
            |value| if let Value::Map(map) = value { Some((**map).clone()) } else { None },
        )
    }

    /// Permission bits, as octal digits: `"0644"`.
    pub(super) fn mode(&self, name: &str) -> Option<u32> {
        let digits = |value: &Value| match value {
            Value::Text(digits) => u32::from_str_radix(digits, 8).ok().filter(|bits| *bits <= 0o7777),
            _ => None,
        };
        Some(self.read(name, "octal digits: \"0644\"", digits)?.0)
    }

    /// The resources that a list names.
    pub(super) fn targets(&self, name: &str) -> Option<Vec<WrittenTarget>> {
        match self.console.targets(self.expression(name)?) {
            Ok(targets) => Some(targets),
            Err(found) => {
                self.problems.borrow_mut().extend(found);
                None
            }
        }
    }

    fn unfit<T>(&self, name: &str, value: &Value, wanted: &str, place: Place) -> Option<T> {
        let found = match value {
            Value::Int(_) | Value::Float(_) => value.to_string(),
            other => other.type_name().to_owned(),
        };
        let detail = format!("`{name}` is {wanted}; this is {found}");
        self.wrong(place, detail, &format!("write {wanted}"));
        None
    }

    /// Reports an invalid value.
    pub(super) fn wrong(&self, place: impl Into<Option<Place>>, detail: impl Into<String>, fix: &str) {
        let error = Diagnostic::new(Code::TestValue, detail).at(place).fix(fix);
        self.problems.borrow_mut().push(error);
    }
}

/// The value with its secrets revealed. The evaluator limits the recursion.
pub(super) fn revealed(value: &Value) -> Value {
    match value.reveal() {
        Value::List(items) => Value::list(items.iter().map(revealed)),
        Value::Map(map) => Value::map(map.iter().map(|(key, value)| (key.clone(), revealed(value)))),
        plain => plain.clone(),
    }
}
