//! The weight and the origin of what we build on.

use super::finding::Finding;
use crate::workspace::Source;

/// A full test on an empty target folder must stay within minutes on two cores; raise this knowingly.
const MOST_PACKAGES: usize = 225;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| source.path == "Cargo.lock").flat_map(lockfile).collect()
}

fn lockfile(source: &Source) -> Vec<Finding> {
    let packages = source.text.lines().filter(|line| *line == "[[package]]").count();
    let mut findings = Vec::new();
    if packages > MOST_PACKAGES {
        let message =
            format!("{packages} packages, at most {MOST_PACKAGES}: is the new one worth its build time?");
        findings.push(Finding::new(&source.path, 0, message));
    }
    for (index, line) in source.text.lines().enumerate() {
        if line.starts_with("source = ") && !line.starts_with("source = \"registry+") {
            let message =
                format!("{line}: only released versions from the registry, they cannot change under us");
            findings.push(Finding::new(&source.path, index + 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn too_many_packages_fire() {
        assert_eq!(found(check, &[("Cargo.lock", &"[[package]]\n".repeat(MOST_PACKAGES))]), [""; 0]);
        assert_eq!(found(check, &[("Cargo.lock", &"[[package]]\n".repeat(MOST_PACKAGES + 1))]).len(), 1);
    }

    #[test]
    fn moving_sources_fire() {
        let text = "[[package]]\nsource = \"git+https://example.invalid/a\"\nsource = \"registry+x\"";
        let findings = found(check, &[("Cargo.lock", text)]);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].starts_with("Cargo.lock:2: source = \"git+"), "{findings:?}");
    }
}
