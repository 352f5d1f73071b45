//! A line of an `authorized_keys` file.

use super::KeyOptions;
use super::options::split;
use crate::public_key::kind_of;

/// The parsed fields of a line that holds a given key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) options: KeyOptions,
    pub(super) kind: String,
    pub(super) comment: String,
}

impl Entry {
    /// Parses `line` if it holds the key `body`.
    pub(super) fn of(line: &str, body: &str) -> Option<Self> {
        let line = line.trim();
        if line.starts_with('#') {
            return None;
        }
        let (first, rest) = word(line);
        let (second, third) = word(rest);
        if second == body {
            return Some(Self::new(KeyOptions::default(), first, third));
        }
        let (key, comment) = word(third);
        // The key may also appear in another key's comment.
        (key == body && kind_of(second).is_none())
            .then(|| Self::new(KeyOptions::parse(first), second, comment))
    }

    fn new(options: KeyOptions, kind: &str, comment: &str) -> Self {
        Self { options, kind: kind.to_owned(), comment: comment.to_owned() }
    }

    /// Formats the line for the key `body`.
    pub(super) fn line(&self, body: &str) -> String {
        let options = self.options.joined();
        let parts = [options.as_str(), &self.kind, body, &self.comment];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Splits off the first word, which may contain quoted spaces.
fn word(text: &str) -> (&str, &str) {
    let blank = split(text, ' ')[0];
    let word = split(blank, '\t')[0];
    (word, text[word.len()..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let check = |line: &str, expected: Option<(&str, &str, &str)>| {
            let found = Entry::of(line, "AAAA");
            let parts = found
                .as_ref()
                .map(|entry| (entry.options.joined(), entry.kind.as_str(), entry.comment.as_str()));
            let expected_ = expected.map(|(options, kind, comment)| (options.to_owned(), kind, comment));
            assert_eq!(parts, expected_, "{line}");
        };
        check("ssh-rsa AAAA", Some(("", "ssh-rsa", "")));
        check("ssh-rsa AAAA ann at home", Some(("", "ssh-rsa", "ann at home")));
        check("  no-pty\tssh-rsa  AAAA  x", Some(("no-pty", "ssh-rsa", "x")));
        check(
            r#"command="a b AAAA",no-pty ssh-rsa AAAA x"#,
            Some((r#"command="a b AAAA",no-pty"#, "ssh-rsa", "x")),
        );
        check("# ssh-rsa AAAA", None);
        check("ssh-rsa AAAAB3NzaC1yc2EAAAAB AAAA", None);
        check("ssh-rsa", None);
        check("", None);
    }

    #[test]
    fn lines_round_trip() {
        let check = |line: &str| {
            let found = Entry::of(line, "AAAA").expect("the line holds the key");
            assert_eq!(found.line("AAAA"), line);
        };
        check("ssh-rsa AAAA");
        check("no-pty ssh-rsa AAAA ann at home");
    }
}
