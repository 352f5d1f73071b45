//! The library without features contains neither Luau nor TLS. That it compiles no C is shown where it is built.

use super::finding::Finding;
use crate::failure::Result;
use crate::program::{self, cargo};

/// Packages that only the features `certificate`, `luau` and `network` need.
const HEAVY: &[&str] = &["mlua", "mlua-sys", "ring", "rustls", "ureq"];

/// One line for each package of the smallest build.
pub(crate) fn tree() -> Result<String> {
    let smallest = ["--package", "uphold", "--no-default-features", "--edges", "normal,build"];
    program::output(cargo().arg("tree").args(smallest).args(["--prefix", "none", "--format", "{p}"]))
}

pub(crate) fn check(tree: &str) -> Vec<Finding> {
    let names = || tree.lines().filter_map(|line| line.split(' ').next());
    let heavy = HEAVY.iter().filter(|heavy| names().any(|name| name == **heavy));
    heavy
        .map(|name| {
            let message = format!("`uphold` without features needs `{name}`");
            Finding::new("crates/uphold/Cargo.toml", 0, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heavy_package_fires_once() {
        assert_eq!(check("uphold v0.1.0\nringing v1.0.0\nserde v1.0.0 (*)"), []);
        let lines: Vec<String> =
            check("a v1.0.0\nring v0.17.0\nring v0.17.0 (*)").iter().map(Finding::to_string).collect();
        assert_eq!(lines, ["crates/uphold/Cargo.toml: `uphold` without features needs `ring`"]);
    }
}
