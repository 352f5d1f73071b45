//! `file:` URIs and paths.

use std::ffi::OsStr;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The normalized path of a `file:` URI; none for any other URI.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let bytes = decoded(rest.split(['?', '#']).next()?)?;
    Some(normalized(Path::new(OsStr::from_bytes(&bytes))))
}

/// The `file:` URI of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri
}

/// A path without `.` and `..`, so that a file has one name.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            other => normal.push(other),
        }
    }
    normal
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
        rest = &after[2..];
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_convert_to_paths_and_back() {
        let check =
            |uri: &str, path: Option<&str>| assert_eq!(path_of(uri), path.map(PathBuf::from), "{uri}");
        check("file:///a/b.hcl", Some("/a/b.hcl"));
        check("file:///a%20b/%C3%A4.hcl", Some("/a b/ä.hcl"));
        check("file://localhost/a/./c/../b", Some("/a/b"));
        check("file:///a%", None);
        check("file:///a%+1", None);
        check("file://other/a", None);
        check("untitled:Untitled-1", None);
        assert_eq!(uri_of(Path::new("/a b/ä+.hcl")), "file:///a%20b/%C3%A4%2B.hcl");
        assert_eq!(path_of(&uri_of(Path::new("/a%b#?"))), Some(PathBuf::from("/a%b#?")));
    }
}
