//! Files with shell assignments: `LANG=de_AT.UTF-8`.

use std::collections::BTreeMap;

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

/// The assignments. Of several to one name, the last counts.
#[derive(Default)]
pub(super) struct Assignments(BTreeMap<String, String>);

impl Parsed for Assignments {
    /// Other lines are skipped.
    fn parse(content: &[u8]) -> Result<Self> {
        let lines = content.split(|byte| *byte == b'\n');
        Ok(Self(lines.filter_map(assignment).collect()))
    }
}

impl Assignments {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The assignments whose name has this prefix.
    pub(super) fn beginning_with(&self, prefix: &str) -> BTreeMap<String, String> {
        let ours = self.0.iter().filter(|(name, _)| name.starts_with(prefix));
        ours.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

fn assignment(line: &[u8]) -> Option<(String, String)> {
    let text = String::from_utf8_lossy(line);
    let (name, value) = text.trim().split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), unquoted(value.trim())))
}

fn unquoted(value: &str) -> String {
    let inner = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(plain) = inner('\'') {
        return plain.to_owned();
    }
    without_backslashes(inner('"').unwrap_or(value))
}

/// Removes the backslashes that escape the characters after them.
pub(crate) fn without_backslashes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    plain
}

/// Sets a value, replacing an existing assignment; none removes it.
pub(super) fn assign(file: &mut Document<'_>, name: &str, value: Option<&str>) {
    let is_ours = |line: &[u8]| assignment(line).is_some_and(|(found, _)| found == name);
    match value {
        Some(value) => file.put(format!("{name}={}", quoted(value)), is_ours),
        None => file.retain(|line| !is_ours(line)),
    }
}

fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:@/+".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    let mut text = String::from('"');
    for character in value.chars() {
        if "\\\"$`".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_assignments() {
        let check = |line: &str, expected: Option<(&str, &str)>| {
            let read = assignment(line.as_bytes());
            let read = read.as_ref().map(|(name, value)| (name.as_str(), value.as_str()));
            assert_eq!(read, expected, "{line}");
        };
        check("LANG=de_AT.UTF-8", Some(("LANG", "de_AT.UTF-8")));
        check("  LANG=\"C\" ", Some(("LANG", "C")));
        check("A='b $c'", Some(("A", "b $c")));
        check("A=\"b \\\"c\\\"\"", Some(("A", "b \"c\"")));
        check("#LANG=C", None);
        check("export X", None);
    }

    #[test]
    fn assigns_in_place() {
        let check = |before: &str, value: Option<&str>, after: &str| {
            let mut file = Document::new(before.as_bytes());
            assign(&mut file, "A", value);
            assert_eq!(String::from_utf8_lossy(&file.content()), after);
            let read = Assignments::parse(after.as_bytes()).expect("it parses");
            assert_eq!(read.get("A"), value);
        };
        check("", Some("x"), "A=x\n");
        check("# c\nA=1\nB=2\nA=3\n", Some("x y"), "# c\nA=\"x y\"\nB=2\n");
        check("A=1\nB=2\n", None, "B=2\n");
        check("", Some("a\"$`\\b"), "A=\"a\\\"\\$\\`\\\\b\"\n");
    }
}
