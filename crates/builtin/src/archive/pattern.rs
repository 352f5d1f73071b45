//! Path patterns that select entries of an archive.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A path pattern: `*` and `?` do not match a slash, `**` does. A pattern that matches a directory matches
/// everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern(String);

impl PathPattern {
    /// Whether this path, or a parent of it, matches. Takes at most the product of both lengths.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let pattern = self.0.trim_end_matches('/').as_bytes();
        // The prefixes of the pattern that match the path read so far.
        let mut now = vec![false; pattern.len() + 1];
        now[0] = true;
        skip_stars(pattern, &mut now);
        for byte in path {
            if *byte == b'/' && now[pattern.len()] {
                return true;
            }
            now = step(pattern, &now, *byte);
        }
        now[pattern.len()]
    }
}

impl Property for PathPattern {
    const TYPE: &'static Type = &Type::Named {
        name: "pattern",
        doc: "a path pattern: `*` and `?` match anything but a slash, `**` matches anything",
        example: r#""docs/**/*.html""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let refuse =
            |why: &str| Problem::new(Some(value), why, r#"use a relative path, as in "docs/*.html""#);
        match text.as_str() {
            "" => Err(refuse("is empty")),
            text if text.starts_with('/') => Err(refuse("begins with a slash, which no archive entry does")),
            _ => Ok(Self(text)),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// The prefixes of the pattern that match after one more byte.
fn step(pattern: &[u8], now: &[bool], byte: u8) -> Vec<bool> {
    let mut next = vec![false; pattern.len() + 1];
    for at in (0..pattern.len()).filter(|at| now[*at]) {
        match pattern[at] {
            b'*' if is_double(pattern, at) || byte != b'/' => next[at] = true,
            b'*' => {}
            b'?' if byte != b'/' => next[at + 1] = true,
            own if own == byte => next[at + 1] = true,
            _ => {}
        }
    }
    skip_stars(pattern, &mut next);
    next
}

/// A star may match nothing.
fn skip_stars(pattern: &[u8], reached: &mut [bool]) {
    for at in 0..pattern.len() {
        if reached[at] && pattern[at] == b'*' {
            reached[at + 1] = true;
        }
    }
}

fn is_double(pattern: &[u8], at: usize) -> bool {
    pattern.get(at + 1) == Some(&b'*') || at > 0 && pattern[at - 1] == b'*'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_paths() {
        let check = |pattern: &str, path: &str, expected: bool| {
            assert_eq!(
                PathPattern(pattern.to_owned()).matches(path.as_bytes()),
                expected,
                "{pattern} {path}"
            );
        };
        check("a", "a", true);
        check("a", "b", false);
        check("a", "a/b/c", true);
        check("a/", "a/b", true);
        check("a", "ab", false);
        check("*.html", "x.html", true);
        check("*.html", "a/x.html", false);
        check("**.html", "a/x.html", true);
        check("a/**/x", "a/b/c/x", true);
        check("a/*/x", "a/b/c/x", false);
        check("a/*", "a/b/c", true);
        check("?", "a", true);
        check("?/b", "a/b", true);
        check("a?b", "a/b", false);
        check("**", "anything/at/all", true);
    }

    #[test]
    fn matching_time_is_bounded() {
        let pattern = PathPattern("*a".repeat(200));
        assert!(!pattern.matches("a".repeat(4000).replace("aaaa", "aaab").as_bytes()));
    }
}
