//! No committed file depends on the machine it was written on, or names a package registry.

use super::finding::Finding;
use crate::workspace::Source;

/// Assembled from parts, or this file would be the first finding.
const PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];
const HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("npmjs", ".org"),
    concat!("pypi", ".org"),
    concat!("deb.debian", ".org"),
    concat!("docker", ".io"),
    concat!("ghcr", ".io"),
];

/// Cargo writes the registry there, the same one on every machine.
const WRITTEN_BY_CARGO: &str = "Cargo.lock";

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| source.path != WRITTEN_BY_CARGO).flat_map(hits).collect()
}

fn hits(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for path in PATHS.iter().filter(|path| has_path(line, path)) {
            let message = format!(
                "`{path}` is a folder of one machine: use a relative path, or one that exists everywhere"
            );
            findings.push(Finding::new(&source.path, index + 1, message));
        }
        for host in HOSTS.iter().filter(|host| line.contains(**host)) {
            let message =
                format!("`{host}` is a package registry: leave it to the machine's own configuration");
            findings.push(Finding::new(&source.path, index + 1, message));
        }
    }
    findings
}

/// Whether the line has this absolute path, and not only as the tail of a longer one.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || "_-./{}".contains(before))
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn each_path_and_host_fires() {
        for word in PATHS.iter().chain(HOSTS) {
            let findings = found(check, &[("a.md", &format!("see\n\"{word}x\""))]);
            assert_eq!(findings.len(), 1, "{word}");
            assert!(findings[0].starts_with(&format!("a.md:2: `{word}` is a ")), "{findings:?}");
        }
    }

    #[test]
    fn tails_of_other_paths_and_the_lock_file_do_not() {
        let tail = format!("/srv{}x target{}y", PATHS[0], PATHS[1]);
        assert_eq!(found(check, &[("a.md", &tail), ("Cargo.lock", HOSTS[0])]), [""; 0]);
    }
}
