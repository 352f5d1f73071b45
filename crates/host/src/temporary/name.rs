//! The form of temporary names: `.NAME.uphold-` and 16 hexadecimal digits.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStrExt;

use uphold_resource::sibling_name;

const MARK: &[u8] = b".uphold-";
const DIGITS: usize = 16;

/// A random temporary name beside `name`.
pub(crate) fn unguessable(name: &OsStr) -> OsString {
    // Each hasher is keyed by random numbers of the system.
    sibling_name(name, &format!("{:0DIGITS$x}", RandomState::new().build_hasher().finish()))
}

/// Whether a name has the form of a temporary name.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_bytes();
    let Some(at) = name.len().checked_sub(DIGITS) else { return false };
    let (before, digits) = name.split_at(at);
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let named = before.strip_suffix(MARK).is_some_and(|before| before.len() > 1 && before.starts_with(b"."));
    named && digits.iter().all(is_digit)
}

/// Whether this is the name by which the kernel reports a file without a name: `#` and its inode.
pub(crate) fn is_nameless(name: &OsStr) -> bool {
    let digits = name.as_bytes().strip_prefix(b"#");
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_temporary_names() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_temporary(OsStr::new(name)), expected, "{name}");
        check(".a.uphold-0123456789abcdef", true);
        check(".a.uphold-b.uphold-0123456789abcdef", true);
        check("a.uphold-0123456789abcdef", false);
        check(".uphold-0123456789abcdef", false);
        check("..uphold-0123456789abcdef", false);
        check(".a.uphold-0123456789abcdeF", false);
        check(".a.uphold-0123456789abcde", false);
        check(".a.uphold-0123456789abcdef0", false);
        check(".a.uphold-backup-1", false);
        check("", false);
        for name in ["x", "é", &"x".repeat(255)] {
            assert!(is_temporary(&unguessable(OsStr::new(name))), "{name}");
        }
    }

    #[test]
    fn recognises_names_of_nameless_files() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_nameless(OsStr::new(name)), expected, "{name}");
        check("#84280", true);
        check("#", false);
        check("#1#", false);
        check("1", false);
    }
}
