//! The options of a key in `authorized_keys`.

use uphold_resource::{Context, Problem, Property, Type, Value};

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

#[cfg(test)]
mod tests {
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
