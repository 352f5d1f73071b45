//! A parser for the parts of `Cargo.toml` and `deny.toml` that the rules need: tables, keys, values and their lines.

use std::collections::BTreeMap;

use crate::workspace::Source;

/// One `key = value` with its table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) table: String,
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) line: usize,
}

/// The list of a package that contains a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    Normal,
    Build,
    Dev,
}

/// A dependency in any of its three notations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) package: String,
    pub(crate) used: Use,
    /// Taken from `[workspace.dependencies]`.
    pub(crate) inherited: bool,
    pub(crate) line: usize,
}

#[derive(Debug)]
pub(crate) struct Manifest {
    entries: Vec<Entry>,
}

impl Manifest {
    /// Ignores lines that are neither a table nor a pair.
    pub(crate) fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let mut table = String::new();
        let mut lines = text.lines().map(without_comment).enumerate();
        while let Some((index, line)) = lines.next() {
            if line.starts_with('[') {
                table = line.trim_matches(|bracket| bracket == '[' || bracket == ']').to_owned();
            } else if let Some((key, value)) = line.split_once('=') {
                let mut value = value.trim().to_owned();
                while is_open(&value) {
                    let Some((_, more)) = lines.next() else { break };
                    value.push_str(more);
                }
                let key = key.trim().replace('"', "");
                entries.push(Entry { table: table.clone(), key, value, line: index + 1 });
            }
        }
        Self { entries }
    }

    /// The file of this path; empty if there is none.
    pub(crate) fn of(sources: &[Source], path: &str) -> Self {
        Self::parse(sources.iter().find(|source| source.path == path).map_or("", |source| &source.text))
    }

    pub(crate) fn get(&self, table: &str, key: &str) -> Option<&str> {
        let entry = self.entries.iter().find(|entry| entry.table == table && entry.key == key)?;
        Some(entry.value.trim_matches('"'))
    }

    /// The strings of a list.
    pub(crate) fn words(&self, table: &str, key: &str) -> Vec<String> {
        let value = self.get(table, key).unwrap_or_default();
        value.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// All dependencies of the package, one for each list and name. Linear in the entries.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let mut found: BTreeMap<(Use, String), Dependency> = BTreeMap::new();
        for entry in &self.entries {
            let Some((used, name, rest)) = dependency_parts(entry) else { continue };
            let package = renamed(entry, rest).unwrap_or(name).to_owned();
            let inherited = rest == "workspace" || entry.value.replace(' ', "").contains("workspace=true");
            let line = entry.line;
            let known = found.entry((used, name.to_owned())).or_insert_with(|| Dependency {
                package: package.clone(),
                used,
                inherited,
                line,
            });
            known.inherited |= inherited;
            if package != name {
                known.package = package;
            }
        }
        found.into_values().collect()
    }
}

/// The list, the dependency's name, and the key below the name (`workspace` in `a.workspace = true`).
fn dependency_parts(entry: &Entry) -> Option<(Use, &str, &str)> {
    if entry.table.starts_with("workspace") {
        return None;
    }
    let list = |segment: &str| match segment {
        "dependencies" => Some(Use::Normal),
        "build-dependencies" => Some(Use::Build),
        "dev-dependencies" => Some(Use::Dev),
        _ => None,
    };
    let (before, last) = entry.table.rsplit_once('.').unwrap_or(("", &entry.table));
    if let Some(used) = list(last) {
        let (name, rest) = entry.key.split_once('.').unwrap_or((&entry.key, ""));
        return Some((used, name, rest));
    }
    // `[dependencies.name]`, possibly below `[target.…]`.
    let used = list(before.rsplit('.').next()?)?;
    Some((used, last, &entry.key))
}

/// The real name behind `name = { package = "real" }`.
fn renamed<'a>(entry: &'a Entry, rest: &str) -> Option<&'a str> {
    if rest == "package" {
        return Some(entry.value.trim_matches('"'));
    }
    let (_, after) = entry.value.split_once("package")?;
    after.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.split('"').next()
}

/// A `#` inside quotes does not occur in our manifests' values.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn is_open(value: &str) -> bool {
    value.matches(['[', '{']).count() > value.matches([']', '}']).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Use, bool, usize)]) {
        let manifest = Manifest::parse(text);
        let found = manifest.dependencies();
        let found: Vec<_> = found
            .iter()
            .map(|dependency| {
                (dependency.package.as_str(), dependency.used, dependency.inherited, dependency.line)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn reads_every_spelling_of_a_dependency() {
        check("[dependencies]\na.workspace = true # why", &[("a", Use::Normal, true, 2)]);
        check(
            "[dependencies]\na = \"1\"\n[dev-dependencies]\nb = { workspace = true }",
            &[("a", Use::Normal, false, 2), ("b", Use::Dev, true, 4)],
        );
        check("[build-dependencies.a]\nfeatures = []\nworkspace = true", &[("a", Use::Build, true, 2)]);
        check("[target.'cfg(unix)'.dependencies]\na = \"1\"", &[("a", Use::Normal, false, 2)]);
        check(
            "[dependencies]\na = { package = \"real\", version = \"1\" }",
            &[("real", Use::Normal, false, 2)],
        );
        check("[dependencies.a]\nversion = \"1\"\npackage = \"real\"", &[("real", Use::Normal, false, 2)]);
        check(
            "[dependencies]\na = { version = \"1\", features = [\n  \"x\",\n] }\nb = \"1\"",
            &[("a", Use::Normal, false, 2), ("b", Use::Normal, false, 5)],
        );
        check("[workspace.dependencies]\na = \"1\"\n[package]\nname = \"b\"", &[]);
    }

    #[test]
    fn gets_a_value() {
        let manifest =
            Manifest::parse("[package]\nname = \"a\"\nedition.workspace = true\n[[bin]]\nname = \"b\"");
        assert_eq!(manifest.get("package", "name"), Some("a"));
        assert_eq!(manifest.get("package", "edition.workspace"), Some("true"));
        assert_eq!(manifest.get("bin", "name"), Some("b"));
        assert_eq!(manifest.get("lints", "workspace"), None);
    }

    #[test]
    fn gets_the_strings_of_a_list() {
        let manifest = Manifest::parse("[a]\nb = [\n  \"x\", # why\n  \"y-1\",\n]\nc = 1");
        assert_eq!(manifest.words("a", "b"), ["x", "y-1"]);
        assert_eq!(manifest.words("a", "c"), [""; 0]);
    }
}
