//! Every file of an integration test is a module of a test program: cargo compiles no other, and its tests never run.

use std::collections::{HashMap, HashSet};

use super::finding::Finding;
use crate::workspace::Source;

/// Programs that must not compile, each for itself.
const FIXTURES: &str = "/tests/ui/";

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let is_file = |source: &&Source| source.is_rust() && is_integration_test(&source.path);
    let files: HashMap<&str, &str> =
        sources.iter().filter(is_file).map(|source| (source.path.as_str(), source.text.as_str())).collect();
    let manifests = sources.iter().filter(|source| source.path.ends_with("/Cargo.toml"));
    let manifests: HashMap<&str, &str> =
        manifests.map(|source| (source.path.trim_end_matches("/Cargo.toml"), source.text.as_str())).collect();
    let programs = files.keys().filter(|path| is_program(path, &manifests));
    let mut open: Vec<String> = programs.map(|path| (*path).to_owned()).collect();
    let programs: HashSet<String> = open.iter().cloned().collect();
    let mut reached = HashSet::new();
    while let Some(path) = open.pop() {
        if let Some(text) = files.get(path.as_str()).filter(|_| reached.insert(path.clone())) {
            open.extend(modules(&path, text, programs.contains(&path)));
        }
    }
    let lost = files.keys().filter(|path| !reached.contains(**path) && !path.contains(FIXTURES));
    lost.map(|path| Finding::new(path, 0, "no `mod` line names this file, so its tests never run")).collect()
}

fn is_integration_test(path: &str) -> bool {
    path.starts_with("crates/")
        && path.split_once("/tests/").is_some_and(|(package, _)| !package.contains("/src"))
}

/// Whether cargo compiles a file as a test program: the manifest names it; or, unless that is switched off, it is in the
/// folder itself, or `main.rs` of a folder in it.
fn is_program(path: &str, manifests: &HashMap<&str, &str>) -> bool {
    let Some((package, inside)) = path.split_once("/tests/") else { return false };
    let manifest = manifests.get(package).copied().unwrap_or_default();
    let is_found = !inside.contains('/') || inside.split_once('/').is_some_and(|(_, name)| name == "main.rs");
    manifest.contains(&format!("path = \"tests/{inside}\""))
        || (is_found && !manifest.contains("autotests = false"))
}

/// The paths that the modules of a file may have. Modules in braces are read by the layout of rustfmt.
fn modules(path: &str, text: &str, is_program: bool) -> Vec<String> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = if is_program || name == "mod.rs" { parent } else { path.trim_end_matches(".rs") };
    let (mut inside, mut own_path, mut found) = (Vec::new(), None, Vec::new());
    for line in text.lines() {
        let code = line.trim_start();
        let indent = (line.len() - code.len()) / 4;
        inside.truncate(indent);
        if let Some(given) = code.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            own_path = Some(given);
            continue;
        }
        let declared = code.strip_prefix("mod ").or_else(|| code.strip_prefix("pub(crate) mod "));
        let Some(declared) = declared else { continue };
        if let Some(name) = declared.strip_suffix(" {") {
            inside.push(name.to_owned());
        } else if let Some(name) = declared.strip_suffix(';') {
            let file = [&[folder.to_owned()], &inside[..], &[name.to_owned()]].concat().join("/");
            match own_path.take() {
                Some(given) => found.push(format!("{parent}/{given}")),
                None => found.extend([format!("{file}.rs"), format!("{file}/mod.rs")]),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    const LOST: &str = "no `mod` line names this file, so its tests never run";

    #[test]
    fn a_file_without_a_mod_line_is_found() {
        let manifest = ("crates/a/Cargo.toml", "autotests = false\n[[test]]\npath = \"tests/main.rs\"\n");
        let main = ("crates/a/tests/main.rs", "mod one;\nmod two {\n    mod inner;\n}\n");
        let one = [("crates/a/tests/one.rs", "mod part;\n"), ("crates/a/tests/one/part.rs", "")];
        let inner = ("crates/a/tests/two/inner.rs", "");
        assert_eq!(found(check, &[manifest, main, one[0], one[1], inner]), [""; 0]);
        let lost = ("crates/a/tests/inner.rs", "");
        assert_eq!(
            found(check, &[manifest, main, one[0], one[1], inner, lost]),
            [format!("{}: {LOST}", lost.0)]
        );
    }

    #[test]
    fn programs_of_their_own_need_no_mod_line() {
        let files = [
            ("crates/a/tests/golden.rs", "#[path = \"golden/plan.rs\"]\nmod plan;\n"),
            ("crates/a/tests/golden/plan.rs", ""),
            ("crates/a/tests/big/main.rs", "mod part;\n"),
            ("crates/a/tests/big/part.rs", ""),
            ("crates/b/tests/main.rs", ""),
            ("crates/b/tests/ui/wrong.rs", ""),
            ("crates/b/src/tests/table.rs", ""),
        ];
        assert_eq!(found(check, &files), [""; 0]);
    }
}
