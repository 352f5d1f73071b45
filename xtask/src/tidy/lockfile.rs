//! Packages that `deny.toml` bans, and packages that come from elsewhere than the registry.

use super::finding::Finding;
use super::manifest::Manifest;
use crate::workspace::Source;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let banned = Manifest::of(sources, "deny.toml").words("bans", "deny");
    let lock = sources.iter().filter(|source| source.path == "Cargo.lock");
    lock.flat_map(|lock| lockfile(lock, &banned)).collect()
}

fn lockfile(source: &Source, banned: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        if line.starts_with("source = ") && !line.starts_with("source = \"registry+") {
            let message = format!("{line}: only released versions from the registry, they cannot change");
            findings.push(Finding::new(&source.path, index + 1, message));
        }
        let name = line.strip_prefix("name = ").map(|name| name.trim_matches('"'));
        if let Some(name) = name.filter(|name| banned.iter().any(|banned| banned == name)) {
            findings.push(Finding::new(&source.path, index + 1, format!("`{name}` is banned by deny.toml")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn moving_sources_fire() {
        let text = "[[package]]\nsource = \"git+https://example.invalid/a\"\nsource = \"registry+x\"";
        let findings = found(check, &[("Cargo.lock", text)]);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].starts_with("Cargo.lock:2: source = \"git+"), "{findings:?}");
    }

    #[test]
    fn banned_packages_fire() {
        let lock = "[[package]]\nname = \"bad\"\n[[package]]\nname = \"bad-not\"";
        let findings =
            found(check, &[("Cargo.lock", lock), ("deny.toml", "[bans]\ndeny = [\n  \"bad\",\n]")]);
        assert_eq!(findings, ["Cargo.lock:2: `bad` is banned by deny.toml"]);
    }
}
