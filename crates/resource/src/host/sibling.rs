//! Names of files that Uphold stores beside another file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// The longest file name on Linux.
const LONGEST_NAME: usize = 255;

/// The name of a file that Uphold stores beside `name`: `.NAME.uphold-SUFFIX`.
///
/// If that is too long, the end of the name is replaced by `~` and a digest of the whole name, so that different names
/// have different siblings.
pub fn sibling_name(name: &OsStr, suffix: &str) -> OsString {
    let ending = format!(".uphold-{suffix}");
    let name = name.as_bytes();
    let room = LONGEST_NAME - 1 - ending.len();
    let shown = if name.len() <= room {
        name.to_vec()
    } else {
        let digest = format!("~{:016x}", digest(name));
        [&name[..room - digest.len()], digest.as_bytes()].concat()
    };
    OsString::from_vec([b".", shown.as_slice(), ending.as_bytes()].concat())
}

/// FNV-1a. It must stay the same in every version, so that files of earlier runs are found.
fn digest(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_kept_whole() {
        assert_eq!(sibling_name(OsStr::new("motd"), "backup-2"), ".motd.uphold-backup-2");
        let longest = "x".repeat(255 - 1 - ".uphold-partial".len());
        let expected = format!(".{longest}.uphold-partial");
        assert_eq!(sibling_name(OsStr::new(&longest), "partial"), &*expected);
    }

    #[test]
    fn long_names_that_differ_at_the_end_have_different_siblings() {
        let name = |end: &str| sibling_name(OsStr::new(&("x".repeat(251) + end)), "partial");
        assert_eq!(name("AAAA").len(), 255);
        assert_eq!(name("AAAA"), name("AAAA"));
        assert_ne!(name("AAAA"), name("AAAB"));
        assert!(name("AAAA").as_bytes().ends_with(b".uphold-partial"));
    }
}
