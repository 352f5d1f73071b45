//! The machine's own line in `/etc/hosts`.

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

use super::MachineName;

/// The path of the table.
pub(super) const HOSTS: &str = "/etc/hosts";

/// The address of a machine without a fixed one, by the convention of Debian.
const OWN: &str = "127.0.1.1";

/// The machine's names in the table; empty if there is no such line.
pub(super) struct OwnNames(Vec<String>);

impl Parsed for OwnNames {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').find_map(own_names).unwrap_or_default()))
    }
}

impl OwnNames {
    /// Whether the names are this name and its short form.
    pub(super) fn are(&self, name: &MachineName) -> bool {
        self.0.first().is_some_and(|first| first == name.as_str())
            && self.0.iter().any(|found| found == name.short())
    }
}

fn own_names(line: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split('#').next()?.split_whitespace();
    words.next().filter(|address| *address == OWN)?;
    Some(words.map(ToOwned::to_owned).collect())
}

/// Sets the machine's own line, or removes it.
pub(super) fn put(table: &mut Document<'_>, name: Option<&MachineName>) {
    let is_own = |line: &[u8]| own_names(line).is_some();
    let Some(name) = name else { return table.retain(|line| !is_own(line)) };
    let mut line = format!("{OWN}\t{name}");
    if name.short() != name.as_str() {
        line.push_str(&format!(" {}", name.short()));
    }
    table.put(line, is_own);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_and_replaces_the_own_line() {
        let check = |before: &str, name: &str, expected: bool, after: &str| {
            let name = MachineName::found(name);
            let found = OwnNames::parse(before.as_bytes()).expect("it parses");
            assert_eq!(found.are(&name), expected, "{before}");
            let mut table = Document::new(before.as_bytes());
            put(&mut table, Some(&name));
            assert_eq!(String::from_utf8_lossy(&table.content()), after);
        };
        check("", "web1", false, "127.0.1.1\tweb1\n");
        check(
            "127.0.0.1 localhost\n127.0.1.1 old\n",
            "web1.example.org",
            false,
            "127.0.0.1 localhost\n127.0.1.1\tweb1.example.org web1\n",
        );
        check(
            "127.0.1.1\tweb1.example.org web1\n",
            "web1.example.org",
            true,
            "127.0.1.1\tweb1.example.org web1\n",
        );
        check("#127.0.1.1 web1\n", "web1", false, "#127.0.1.1 web1\n127.0.1.1\tweb1\n");
    }
}
