//! A `.sources` file: one paragraph of fields, edited in place.

use uphold_resource::{Error, ErrorKind, Result};

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
