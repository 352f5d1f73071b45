//! Selection and renaming of the entries of an archive.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Property, Result};

use super::pattern::PathPattern;

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
