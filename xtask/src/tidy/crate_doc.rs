//! The first line of every crate describes it.

use super::finding::Finding;
use crate::workspace::Source;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| is_crate_root(&source.path) && !source.text.starts_with("//!"))
        .map(|source| {
            Finding::new(&source.path, 1, "a crate starts with `//!` and one line that says what it is")
        })
        .collect()
}

fn is_crate_root(path: &str) -> bool {
    path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn a_crate_without_its_line_fires() {
        let message = "crates/a/src/lib.rs:1: a crate starts with `//!` and one line that says what it is";
        assert_eq!(found(check, &[("crates/a/src/lib.rs", "// A thing.\nmod b;")]), [message]);
        assert_eq!(found(check, &[("xtask/src/main.rs", "")]).len(), 1);
        assert_eq!(
            found(check, &[("crates/a/src/lib.rs", "//! A thing."), ("crates/a/src/b.rs", "")]),
            [""; 0]
        );
    }
}
