//! System calls that open or change a path are made in one module only, which follows no unsafe links.

use super::finding::Finding;
use super::mask::code_only;
use crate::workspace::Source;

/// The allowed files: the module that all of `host` uses, those of the journal's directory, and the one that creates the
/// socket of a watch.
const ALLOWED: &[&str] = &[
    "crates/host/src/calls.rs",
    "crates/journal/src/storage/directory.rs",
    "crates/journal/src/storage/disk.rs",
    "crates/status/src/socket.rs",
];

/// For tests only, on its own hosts.
const EXEMPT: &str = "crates/testbed/";

const MODULE: &str = "rustix::fs::";

/// Functions that take a path and open or change its entry. `self` would hide them behind a shorter name.
const CALLS: &[&str] = &[
    "self",
    "chmod",
    "chmodat",
    "chown",
    "chownat",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "mknodat",
    "open",
    "openat",
    "openat2",
    "removexattr",
    "rename",
    "renameat",
    "renameat_with",
    "rmdir",
    "setxattr",
    "symlink",
    "symlinkat",
    "truncate",
    "unlink",
    "unlinkat",
    "utimensat",
];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| is_checked(source)).flat_map(findings).collect()
}

fn is_checked(source: &Source) -> bool {
    let path = source.path.as_str();
    let is_product = path.starts_with("crates/") && path.contains("/src/") && !path.starts_with(EXEMPT);
    source.is_rust() && is_product && !ALLOWED.contains(&path)
}

fn findings(source: &Source) -> Vec<Finding> {
    let code = code_only(&source.text);
    let mut findings = Vec::new();
    for (at, _) in code.match_indices(MODULE) {
        for call in names(&code[at + MODULE.len()..]).filter(|name| CALLS.contains(name)) {
            let line = code[..at].lines().count().max(1);
            let what = format!("`{MODULE}{call}` takes a path: use what `crates/host/src/calls.rs` has");
            findings.push(Finding::new(&source.path, line, what));
        }
    }
    findings
}

/// The names that follow the module: one, or all in braces.
fn names(rest: &str) -> impl Iterator<Item = &str> {
    let end = match rest.strip_prefix('{') {
        Some(_) => rest.find('}').unwrap_or(rest.len()),
        None => rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len()),
    };
    let list = rest[..end].trim_start_matches('{');
    list.split(',').filter_map(|item| item.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn calls_by_path_fire() {
        let check_one = |text: &str, call: &str| {
            let message = "takes a path: use what `crates/host/src/calls.rs` has";
            let expected = format!("crates/host/src/a.rs:2: `rustix::fs::{call}` {message}");
            assert_eq!(found(check, &[("crates/host/src/a.rs", text)]), [expected], "{text}");
        };
        check_one("fn a() {\n    rustix::fs::open(path, flags)\n}", "open");
        check_one("//! A.\nuse rustix::fs::{\n    Mode, unlinkat,\n};", "unlinkat");
        check_one("//! A.\nuse rustix::fs::{openat as other};", "openat");
        check_one("//! A.\nuse rustix::fs::{self};", "self");
    }

    #[test]
    fn other_functions_other_places_and_prose_do_not() {
        let fine = "// rustix::fs::open\nuse rustix::fs::{FileType, OFlags};\nrustix::fs::fstat(handle)";
        let call = "rustix::fs::open(path)";
        let sources = [
            ("crates/host/src/a.rs", fine),
            ("crates/host/src/calls.rs", call),
            ("crates/host/tests/a.rs", call),
            ("crates/testbed/src/a.rs", call),
        ];
        assert_eq!(found(check, &sources), [""; 0]);
    }
}
