//! The machine's own line in `/etc/hosts`.

use uphold_resource::{Parsed, Result};

use super::MachineName;
use crate::line::Document;

/// Where the table is.
pub(super) const HOSTS: &str = "/etc/hosts";

/// The address that a machine without a fixed one has there, by the custom of Debian.
const OWN: &str = "127.0.1.1";

/// What the machine calls itself there; nothing if there is no such line.
pub(super) struct OwnNames(Vec<String>);

impl Parsed for OwnNames {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').find_map(own_names).unwrap_or_default()))
    }
}

impl OwnNames {
    /// Whether it is this name, and its short form.
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

/// Makes the machine call itself so, or takes its line away.
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
    fn the_own_line_is_found_and_put() {
        let check = |before: &str, name: &str, is_there: bool, after: &str| {
            let name = MachineName::found(name);
            let found = OwnNames::parse(before.as_bytes()).expect("it can be read");
            assert_eq!(found.are(&name), is_there, "{before}");
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
