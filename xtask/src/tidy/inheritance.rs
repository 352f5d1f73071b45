//! Edition, versions and lints are stated once, in the workspace's manifest.

use super::finding::Finding;
use super::layer::is_member;
use super::manifest::Manifest;
use crate::workspace::Source;

const INHERITED: &[(&str, &str)] = &[
    ("package", "version.workspace"),
    ("package", "edition.workspace"),
    ("package", "rust-version.workspace"),
    ("package", "license.workspace"),
    ("lints", "workspace"),
];

/// The one crate with unsafe code. A lint that is forbidden cannot be expected at one place, so it states its own.
const UNSAFE: &str = "crates/lease/Cargo.toml";
const UNSAFE_INHERITED: usize = INHERITED.len() - 1;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| is_member(&source.path)).flat_map(member).collect()
}

fn member(source: &Source) -> Vec<Finding> {
    let manifest = Manifest::parse(&source.text);
    let inherited = if source.path == UNSAFE { &INHERITED[..UNSAFE_INHERITED] } else { INHERITED };
    let missing = inherited.iter().filter(|(table, key)| manifest.get(table, key) != Some("true"));
    let mut findings: Vec<Finding> = missing
        .map(|(table, key)| Finding::new(&source.path, 0, format!("write `{key} = true` in `[{table}]`")))
        .collect();
    for dependency in manifest.dependencies().iter().filter(|dependency| !dependency.inherited) {
        let message = format!(
            "give `{}` its version in the workspace's manifest, and write `workspace = true` here",
            dependency.package
        );
        findings.push(Finding::new(&source.path, dependency.line, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    const GOOD: &str = "[package]\nversion.workspace = true\nedition.workspace = true\n\
        rust-version.workspace = true\nlicense.workspace = true\n[lints]\nworkspace = true\n\
        [dependencies]\na.workspace = true\n";

    #[test]
    fn each_missing_inheritance_fires() {
        assert_eq!(found(check, &[("crates/a/Cargo.toml", GOOD)]), [""; 0]);
        for (table, key) in INHERITED {
            let line = format!("\n{key} = true\n");
            let without = match *table {
                "lints" => GOOD.replace("[lints]\nworkspace = true\n", ""),
                _ => GOOD.replace(&line, "\n"),
            };
            assert_eq!(
                found(check, &[("crates/a/Cargo.toml", &without)]),
                [format!("crates/a/Cargo.toml: write `{key} = true` in `[{table}]`")]
            );
        }
    }

    #[test]
    fn only_the_crate_with_unsafe_code_has_lints_of_its_own() {
        let own = GOOD.replace("[lints]\nworkspace = true\n", "[lints.rust]\nunsafe_code = \"deny\"\n");
        assert_eq!(found(check, &[(UNSAFE, &own)]), [""; 0]);
        assert_eq!(found(check, &[("crates/a/Cargo.toml", &own)]).len(), 1);
    }

    #[test]
    fn a_version_of_its_own_fires() {
        let message = "crates/a/Cargo.toml:10: give `b` its version in the workspace's manifest, \
                       and write `workspace = true` here";
        assert_eq!(found(check, &[("crates/a/Cargo.toml", &format!("{GOOD}b = \"1\"\n"))]), [message]);
    }
}
