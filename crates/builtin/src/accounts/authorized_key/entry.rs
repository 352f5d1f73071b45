//! A line of an `authorized_keys` file.

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::public_key::{PublicKey, kind_of};

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

// The options of a key in `authorized_keys`.

/// Options of a key, in order, such as `no-pty` or `from="10.0.0.0/8"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyOptions(Vec<String>);

impl KeyOptions {
    /// Parses the comma-separated options in front of a key.
    pub(super) fn parse(text: &str) -> Self {
        Self(split(text, ',').into_iter().filter(|option| !option.is_empty()).map(str::to_owned).collect())
    }

    /// The options, separated by commas; empty if there are none.
    pub(super) fn joined(&self) -> String {
        self.0.join(",")
    }
}

/// Splits at separators outside quotes. A quote can be escaped.
pub(super) fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut quoted, mut escaped, mut begin) = (false, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        if c == separator && !quoted {
            parts.push(&text[begin..at]);
            begin = at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    parts.push(&text[begin..]);
    parts
}

/// Whether `text` is exactly one option that fits into a line.
fn is_option(text: &str) -> bool {
    let closed = split(&format!("{text},x"), ',').len() == 2;
    let plain = split(text, ' ').len() == 1 && split(text, '\t').len() == 1;
    !text.is_empty() && !text.contains(['\n', '\r', '\0']) && !text.starts_with(['"', '#']) && closed && plain
}

impl Property for KeyOptions {
    const TYPE: &'static Type = &Type::List(&Type::Text);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let texts = Vec::<String>::from_value(value, context)?;
        match texts.iter().position(|text| !is_option(text)) {
            None => Ok(Self(texts)),
            Some(at) => {
                let fix = "write each option as one string, with its value in quotes: \"no-pty\", \"from=\\\"10.0.0.0/8\\\"\"";
                let text = Value::text(texts[at].as_str());
                Err(Problem::new(Some(&text), "is not a valid key option", fix).inside(&format!("[{at}]")))
            }
        }
    }

    fn to_value(&self) -> Value {
        Value::list(self.0.iter().map(|option| Value::text(option.as_str())))
    }
}

// A public key with its comment, as in a `.pub` file.

/// A public key and its comment. The key type is read from the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginKey {
    key: PublicKey,
    comment: Option<String>,
}

impl LoginKey {
    /// The key type, such as `ssh-ed25519`.
    pub(super) fn kind(&self) -> &str {
        self.key.kind()
    }

    /// The base64 text that identifies the key.
    pub(super) fn body(&self) -> &str {
        self.key.body()
    }

    /// The SHA-256 fingerprint, as `ssh-keygen -l` prints it.
    pub(super) fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }

    /// The comment after the key, if any.
    pub(super) fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.contains(['\n', '\r', '\0']) {
            return Err("it has more than one line");
        }
        let key = PublicKey::parse(text)?;
        let behind = text.split_once(key.body()).map(|(_, behind)| behind.trim());
        let comment = behind.filter(|comment| !comment.is_empty()).map(str::to_owned);
        Ok(Self { key, comment })
    }
}

impl Property for LoginKey {
    const TYPE: &'static Type = PublicKey::TYPE;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let parsed = match value {
            Value::Text(text) => Self::parse(text),
            _ => Err("it is not a string"),
        };
        parsed.map_err(|why| {
            let fix = "use the content of the `.pub` file: type, key and comment; put options into `options`";
            Problem::new(Some(value), format!("is not a public key: {why}"), fix)
        })
    }

    fn to_value(&self) -> Value {
        let comment = self.comment.iter().map(|comment| format!(" {comment}"));
        Value::text([self.key.to_string()].into_iter().chain(comment).collect::<String>())
    }
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

#[cfg(test)]
mod options_tests {
    use super::*;

    #[test]
    fn options_of_a_line() {
        let check = |text: &str, expected: &[&str]| {
            let options = KeyOptions::parse(text);
            assert_eq!(options.0, expected, "{text}");
            assert_eq!(options.joined(), text);
        };
        check("no-pty", &["no-pty"]);
        check("no-pty,from=\"a,b\"", &["no-pty", "from=\"a,b\""]);
        check(r#"command="echo \"a,b\"",no-pty"#, &[r#"command="echo \"a,b\"""#, "no-pty"]);
        check("", &[]);
    }

    #[test]
    fn single_options() {
        let check = |text: &str, expected: bool| assert_eq!(is_option(text), expected, "{text}");
        check("no-pty", true);
        check("command=\"ls -l\"", true);
        check(r#"command="say \"hi, you\"""#, true);
        check("no-pty,no-x11", false);
        check("command=ls -l", false);
        check("command=\"ls", false);
        check("a\nb", false);
        check("", false);
    }
}

#[cfg(test)]
mod login_key_tests {
    use super::*;

    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

    #[test]
    fn parses_keys() {
        let check = |text: &str, expected: Result<Option<&str>, &str>| {
            let found = LoginKey::parse(text);
            assert_eq!(found.as_ref().map(LoginKey::comment).map_err(|why| *why), expected, "{text}");
        };
        check(KEY, Ok(None));
        check(&format!("ssh-ed25519 {KEY}\n"), Ok(None));
        check(&format!(" ssh-ed25519  {KEY}  Ann's  laptop "), Ok(Some("Ann's  laptop")));
        check(&format!("{KEY} ann"), Ok(Some("ann")));
        check(&format!("ssh-rsa {KEY}"), Err("the key is not of the given type"));
        check(&format!("no-pty ssh-ed25519 {KEY}"), Err("the key is not base64, or truncated"));
        check(&format!("{KEY}\n{KEY}"), Err("it has more than one line"));
        check("", Err("it is empty"));
    }
}
