//! Selection and renaming of the entries of an archive.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{Context, Error, ErrorKind, Problem, Property, Result, Type, Value};

/// The maximum depth of an entry.
const DEEPEST: usize = 128;

/// Which entries are unpacked, and to which paths.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Selection {
    /// Number of leading directories to strip from each path, as in `tar --strip-components`. Entries with no more
    /// parts are skipped.
    #[also("strip", "strip_level")]
    #[default(0)]
    #[range(0..=100)]
    pub strip_components: usize,
    /// Unpack only entries that match one of these patterns; everything if the list is empty. Patterns match paths
    /// after `strip_components`.
    #[default(Vec::new())]
    pub include: Vec<PathPattern>,
    /// Skip entries that match one of these patterns.
    #[also("ignore")]
    #[default(Vec::new())]
    pub exclude: Vec<PathPattern>,
}

impl Selection {
    /// The path of an entry below the directory; none if it is skipped.
    ///
    /// # Errors
    /// If the name leads outside the directory.
    pub(crate) fn place(&self, name: &[u8]) -> Result<Option<PathBuf>> {
        let names = names(name)?;
        let Some(kept) = names.get(self.strip_components..).filter(|kept| !kept.is_empty()) else {
            return Ok(None);
        };
        let path = kept.join(&b'/');
        let included = self.include.is_empty() || self.include.iter().any(|pattern| pattern.matches(&path));
        let taken = included && !self.exclude.iter().any(|pattern| pattern.matches(&path));
        Ok(taken.then(|| Path::new(OsStr::from_bytes(&path)).to_owned()))
    }
}

/// The components of an entry's name.
fn names(name: &[u8]) -> Result<Vec<&[u8]>> {
    let refuse = |why: &str| {
        let what = format!("its entry {:.200} {why}", String::from_utf8_lossy(name).escape_debug());
        Error::new(ErrorKind::Denied, what).hint("nothing was unpacked: do not trust this archive")
    };
    if name.starts_with(b"/") {
        return Err(refuse("has an absolute name"));
    }
    let names: Vec<&[u8]> =
        name.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".").collect();
    match names.as_slice() {
        names if names.contains(&b"..".as_slice()) => Err(refuse("leads outside the directory")),
        names if names.iter().any(|name| name.contains(&0) || name.len() > 255) => {
            Err(refuse("has an invalid file name"))
        }
        names if names.len() > DEEPEST => Err(refuse("is nested too deeply")),
        _ => Ok(names),
    }
}

// Path patterns that select entries of an archive.

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
    use uphold_resource::{Context, Value};

    use super::*;

    fn selection(strip: usize, include: &[&str], exclude: &[&str]) -> Selection {
        let patterns = |texts: &[&str]| {
            let read = |text: &&str| PathPattern::from_value(&Value::text(*text), &Context::NOTHING);
            texts.iter().map(read).collect::<std::result::Result<_, _>>().expect("valid patterns")
        };
        Selection { strip_components: strip, include: patterns(include), exclude: patterns(exclude) }
    }

    #[test]
    fn places() {
        let check = |strip, include: &[&str], exclude: &[&str], name: &str, expected: Option<&str>| {
            let found = selection(strip, include, exclude).place(name.as_bytes()).expect("safe");
            assert_eq!(found.as_deref(), expected.map(Path::new), "{strip} {include:?} {exclude:?} {name}");
        };
        check(0, &[], &[], "./a//b/", Some("a/b"));
        check(0, &[], &[], "./", None);
        check(1, &[], &[], "app-1.0/bin/app", Some("bin/app"));
        check(1, &[], &[], "app-1.0", None);
        check(1, &["bin"], &[], "app-1.0/bin/app", Some("bin/app"));
        check(1, &["bin"], &[], "app-1.0/doc/x", None);
        check(0, &[], &["*.txt"], "a.txt", None);
        check(0, &["a*"], &["a.txt"], "a.html", Some("a.html"));
    }

    #[test]
    fn refuses_unsafe_names() {
        let deep = "d/".repeat(129);
        let long = "x".repeat(256);
        for name in ["/etc/passwd", "../a", "a/../../b", "..", "a\0b", &deep, &long] {
            assert!(selection(0, &[], &[]).place(name.as_bytes()).is_err(), "{name}");
        }
    }
}

#[cfg(test)]
mod pattern_tests {
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
