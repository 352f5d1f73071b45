//! A `.sources` file: one paragraph of fields, edited in place.

use std::collections::BTreeMap;

use uphold_resource::{Context, Error, ErrorKind, Problem, Property, Result, Type, Value};

/// The file of one repository. Fields that are not set keep their text and comments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Document {
    fields: Vec<Field>,
}

/// A field with all of its lines; or a line without a field, such as a comment.
#[derive(Debug, PartialEq, Eq)]
struct Field {
    name: String,
    value: String,
    text: String,
}

impl Document {
    /// Parses the content of a file.
    ///
    /// # Errors
    /// If it describes several repositories.
    pub(super) fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let mut fields: Vec<Field> = Vec::new();
        for line in text.trim_matches('\n').lines() {
            if line.trim().is_empty() {
                return Err(Error::new(ErrorKind::Invalid, "the file describes more than one repository"));
            }
            match (line.starts_with([' ', '\t']), fields.last_mut()) {
                (true, Some(field)) => field.continue_with(line),
                _ => fields.push(Field::begin(line)),
            }
        }
        Ok(Self { fields })
    }

    /// The words of a field; none if it does not exist.
    pub(super) fn words(&self, name: &str) -> Option<Vec<String>> {
        self.value(name).map(|value| value.split_whitespace().map(str::to_owned).collect())
    }

    /// The trimmed value of a field.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|field| field.is(name));
        found.map(|field| field.value.trim())
    }

    /// All fields with their values.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = self.fields.iter().filter(|field| !field.name.is_empty());
        named.map(|field| (field.name.as_str(), field.value.trim()))
    }

    /// Sets a field in place, or adds it at the end. An empty value removes it.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let new = (!value.is_empty()).then(|| Field::begin(&format!("{name}: {value}")));
        match (self.fields.iter().position(|field| field.is(name)), new) {
            (Some(at), Some(new)) => self.fields[at] = new,
            (Some(at), None) => drop(self.fields.remove(at)),
            (None, Some(new)) => self.fields.push(new),
            (None, None) => {}
        }
    }

    /// The content of the file.
    pub(super) fn content(&self) -> Vec<u8> {
        self.fields.iter().flat_map(|field| field.text.bytes()).collect()
    }
}

impl Field {
    fn begin(line: &str) -> Self {
        let named = if line.starts_with('#') { None } else { line.split_once(':') };
        let (name, value) = named.unwrap_or_default();
        Self { name: name.to_owned(), value: value.to_owned(), text: format!("{line}\n") }
    }

    fn continue_with(&mut self, line: &str) {
        self.value.push('\n');
        self.value.push_str(line);
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

// Fields of a repository without a property of their own.

/// Fields that have a property.
const PROPERTIES: [&str; 8] =
    ["Types", "URIs", "Suites", "Components", "Signed-By", "Architectures", "Enabled", "Trusted"];

const FIX: &str = r#"use field names of apt's manual and single-line values: { Languages = "none" }"#;

/// Further fields by name. Only declared ones are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    pub(super) fn of(document: &Document) -> Self {
        let others = document.all().filter(|(name, _)| !is_property(name));
        Self(others.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Whether each field of `other` is among these.
    pub(super) fn has_names_of(&self, other: &Self) -> bool {
        other.0.keys().all(|name| self.0.contains_key(name))
    }

    /// Sets these fields and removes all others without a property.
    pub(super) fn fill(&self, document: &mut Document) {
        for name in Self::of(document).0.keys().filter(|name| !self.0.contains_key(*name)) {
            document.set(name, "");
        }
        for (name, value) in &self.0 {
            if document.value(name).unwrap_or_default() != value {
                document.set(name, value);
            }
        }
    }
}

impl Property for Fields {
    const TYPE: &'static Type = BTreeMap::<String, String>::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let fields = BTreeMap::<String, String>::from_value(value, context)?;
        let refuse = |why: String| Err(Problem::new(Some(value), why, FIX));
        for (name, text) in &fields {
            if is_property(name) {
                return refuse(format!("contains {name}, which has a property of its own"));
            }
            if name.is_empty()
                || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                || text.contains('\n')
            {
                return refuse(format!(
                    "contains {name:?}, which is not a valid field with a single-line value"
                ));
            }
        }
        Ok(Self(fields))
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    /// The current fields, overridden by the declared ones. An empty value removes a field.
    fn settle(&self, current: Option<&Self>) -> Self {
        let mut all = current.cloned().unwrap_or_default().0;
        for (name, value) in &self.0 {
            let as_written = all.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned();
            match (value.is_empty(), as_written) {
                (true, Some(key)) => drop(all.remove(&key)),
                (true, None) => {}
                (false, key) => drop(all.insert(key.unwrap_or_else(|| name.clone()), value.clone())),
            }
        }
        Self(all)
    }
}

fn is_property(name: &str) -> bool {
    PROPERTIES.iter().any(|property| property.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# ours\nTypes: deb\nURIs: https://a.example/x\n https://b.example/x\nsuites: stable\n";

    #[test]
    fn parses_fields() {
        let document = Document::parse(TEXT.as_bytes()).unwrap();
        let check = |name: &str, expected: Option<&[&str]>| {
            let expected = expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(document.words(name), expected, "{name}");
        };
        check("Types", Some(&["deb"]));
        check("URIs", Some(&["https://a.example/x", "https://b.example/x"]));
        check("Suites", Some(&["stable"]));
        check("Components", None);
        assert_eq!(document.content(), TEXT.as_bytes());
    }

    #[test]
    fn sets_fields_in_place() {
        let check = |name: &str, value: &str, expected: &str| {
            let mut document = Document::parse(TEXT.as_bytes()).unwrap();
            document.set(name, value);
            assert_eq!(String::from_utf8_lossy(&document.content()), expected, "{name}");
        };
        check("Types", "deb deb-src", &TEXT.replace("Types: deb", "Types: deb deb-src"));
        check("URIs", "https://c.example", "# ours\nTypes: deb\nURIs: https://c.example\nsuites: stable\n");
        check("Suites", "", "# ours\nTypes: deb\nURIs: https://a.example/x\n https://b.example/x\n");
        check("Enabled", "no", &format!("{TEXT}Enabled: no\n"));
        check("Trusted", "", TEXT);
    }

    #[test]
    fn refuses_several_repositories() {
        assert!(Document::parse(b"Types: deb\n\nTypes: deb\n").is_err());
        assert!(Document::parse(b"\nTypes: deb\n\n").is_ok());
        assert_eq!(Document::parse(b"").unwrap().content(), b"");
    }
}

#[cfg(test)]
mod fields_tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn compares_declared_fields_only() {
        let check = |declared: &[(&str, &str)], goal: &[(&str, &str)]| {
            let current = fields(&[("Languages", "none"), ("X-Note", "ours")]);
            assert_eq!(fields(declared).settle(Some(&current)), fields(goal));
        };
        check(&[], &[("Languages", "none"), ("X-Note", "ours")]);
        check(&[("languages", "en")], &[("Languages", "en"), ("X-Note", "ours")]);
        check(&[("X-Note", ""), ("X-No", "")], &[("Languages", "none")]);
        check(&[("By-Hash", "no")], &[("By-Hash", "no"), ("Languages", "none"), ("X-Note", "ours")]);
    }

    #[test]
    fn refuses_invalid_fields() {
        let check = |name: &'static str, text: &str, fine: bool| {
            let value = Value::map([(name, Value::text(text))]);
            assert_eq!(Fields::from_value(&value, &Context::NOTHING).is_ok(), fine, "{name}");
        };
        check("Check-Valid-Until", "no", true);
        check("uris", "x", false);
        check("a b", "x", false);
        check("", "x", false);
        check("Languages", "x\nTrusted: yes", false);
    }
}
