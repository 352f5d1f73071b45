//! Defines kinds from script files.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use uphold_model::{Code, Diagnostic, Diagnostics, Map, closest, is_identifier};
use uphold_resource::{KindError, Registry};

use super::libraries::diagnostics;
use super::script::Script;
use crate::failure::ScriptErrors;
use crate::kind::ScriptedKind;
use crate::libraries::Libraries;
use crate::script_file::ScriptFile;

/// Kinds that are in use, by file name, text, parent and required files: an unchanged file defines the same kind again, so that a watch
/// keeps it after a reload. Unused kinds are dropped.
static DEFINED: Mutex<Vec<DefinedKind>> = Mutex::new(Vec::new());

struct DefinedKind {
    name: String,
    text: String,
    parent: Option<u64>,
    /// The texts of the required files.
    libraries: Vec<String>,
    kind: Weak<ScriptedKind>,
}

/// The kind in use that a file defines. The latest version counts.
pub(crate) fn defined_kind(file: &str) -> Option<Arc<ScriptedKind>> {
    let known = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().rev().filter(|one| one.name == file).find_map(|one| one.kind.upgrade())
}

/// Adds the kinds that these files define. A kind is named after its file. The files can extend each other, in any order.
/// `libraries` are the files that they can require.
pub fn define(
    files: &[ScriptFile<'_>],
    libraries: &[ScriptFile<'_>],
    registry: &mut Registry,
) -> Diagnostics {
    let libraries = Libraries::new(libraries);
    let mut definer =
        Definer { files: HashMap::new(), done: HashMap::new(), libraries, problems: Diagnostics::default() };
    for file in files {
        definer.add(file);
    }
    let mut names: Vec<&str> = definer.files.keys().copied().collect();
    names.sort_unstable();
    for name in names {
        let Some(kind) = definer.define(name, &mut Vec::new()) else { continue };
        let file = definer.files[name];
        if !kind.acts() && !kind.compares() && !definer.is_extended(name) {
            definer.problems.push(idle(file, name));
            continue;
        }
        match registry.define(kind) {
            Ok(()) => registry.note_file(name, file.name),
            Err(error) => definer.problems.push(rejected(file, &error)),
        }
    }
    definer.problems
}

/// The error of a kind whose resources would always be as declared.
fn idle(file: &ScriptFile<'_>, name: &str) -> Diagnostic {
    let detail = format!("`{name}` has neither an action nor a loader, so it would do nothing");
    Diagnostic::new(Code::InvalidKind, detail)
        .at(file.line(1))
        .fix("define an action: function actions.create() … end")
}

fn rejected(file: &ScriptFile<'_>, error: &KindError) -> Diagnostic {
    let invalid = Diagnostic::new(Code::InvalidKind, error.to_string()).at(file.line(1));
    match error {
        KindError::Duplicate(_) => invalid.fix("rename the file: a kind is named after its file"),
        KindError::Unsound(..) => invalid,
    }
}

struct Definer<'a> {
    files: HashMap<&'a str, &'a ScriptFile<'a>>,
    done: HashMap<&'a str, Option<Arc<ScriptedKind>>>,
    libraries: Libraries<'a>,
    problems: Diagnostics,
}

impl<'a> Definer<'a> {
    fn add(&mut self, file: &'a ScriptFile<'a>) {
        let name = Path::new(file.name).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if !is_identifier(name) || name.contains('-') {
            let detail = format!("`{name}` cannot be the name of a kind");
            let fix = "name the file with letters, digits and underscores: web_site.luau";
            self.problems.push(Diagnostic::new(Code::InvalidKind, detail).at(file.line(1)).fix(fix));
        } else if let Some(other) = self.files.insert(name, file) {
            let detail = format!("`{name}` is defined by {} and by {}", other.name, file.name);
            let fix = "remove one of them, or rename it";
            self.problems.push(Diagnostic::new(Code::DuplicateKind, detail).at(file.line(1)).fix(fix));
        }
    }

    /// Whether another file extends this kind, which can then leave the actions to it.
    fn is_extended(&self, name: &str) -> bool {
        self.files.values().any(|file| extended(file.text).any(|(_, parent)| parent == name))
    }

    /// The kind of this name; none if it is invalid, which has been reported. `descendants` are the kinds that extend it.
    fn define(&mut self, name: &'a str, descendants: &mut Vec<&'a str>) -> Option<Arc<ScriptedKind>> {
        if let Some(done) = self.done.get(name) {
            return done.clone();
        }
        let file = self.files[name];
        descendants.push(name);
        let made = self.parent(file, descendants).and_then(|parent| self.make(file, name, parent));
        descendants.pop();
        self.done.insert(name, made.clone());
        made
    }

    /// The kind that a file extends, if any; the outer none if that kind is invalid, which has been reported.
    fn parent(
        &mut self,
        file: &ScriptFile<'a>,
        descendants: &mut Vec<&'a str>,
    ) -> Option<Option<Arc<ScriptedKind>>> {
        let mut parents = extended(file.text);
        let Some((line, name)) = parents.next() else { return Some(None) };
        if let Some((line, other)) = parents.next() {
            let detail =
                format!("this kind extends both `{name}` and `{other}`, but a kind can extend only one");
            let fix = "remove one `extends`; to use another kind, declare it in an action";
            self.problems.push(Diagnostic::new(Code::InvalidParentKind, detail).at(file.line(line)).fix(fix));
            return None;
        }
        let Some((known, _)) = self.files.get_key_value(name) else {
            let near = closest(name, self.files.keys().copied());
            let fix = near.map_or_else(
                || {
                    "extend a kind that a script defines; to use a built-in kind, declare it in an action"
                        .to_owned()
                },
                |near| format!("did you mean `{near}`?"),
            );
            let detail = format!("there is no scripted kind `{name}` to extend");
            self.problems.push(Diagnostic::new(Code::InvalidParentKind, detail).at(file.line(line)).fix(fix));
            return None;
        };
        let known = *known;
        if descendants.contains(&known) {
            let detail = format!("{} extends itself", descendants.join(" extends "));
            let fix = "remove one of these `extends`";
            self.problems.push(Diagnostic::new(Code::InvalidParentKind, detail).at(file.line(line)).fix(fix));
            return None;
        }
        self.define(known, descendants).map(Some)
    }

    fn make(
        &mut self,
        file: &ScriptFile<'_>,
        name: &str,
        parent: Option<Arc<ScriptedKind>>,
    ) -> Option<Arc<ScriptedKind>> {
        let libraries = match self.libraries.of(file) {
            Ok(libraries) => libraries,
            Err(problems) => {
                self.problems.extend(problems);
                return None;
            }
        };
        let texts: Vec<String> = libraries.iter().map(|library| library.text.clone()).collect();
        let number = parent.as_ref().map(|parent| parent.script.number);
        let mut known = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |one: &&DefinedKind| {
            one.name == file.name && one.text == file.text && one.parent == number && one.libraries == texts
        };
        known.retain(|one| one.kind.strong_count() > 0);
        if let Some(found) = known.iter().find(same).and_then(|one| one.kind.upgrade()) {
            return Some(found);
        }
        let script =
            Script::compile(file, name, false, parent.map(|parent| parent.script.clone()), libraries);
        let made = script
            .map_err(ScriptErrors::from)
            .and_then(|script| ScriptedKind::new(Arc::new(script), Map::new()));
        match made {
            Ok(kind) => {
                let kind = Arc::new(kind);
                let (name, text) = (file.name.to_owned(), file.text.to_owned());
                let kept = Arc::downgrade(&kind);
                known.push(DefinedKind { name, text, parent: number, libraries: texts, kind: kept });
                Some(kind)
            }
            Err(errors) => {
                self.problems.extend(diagnostics(file, &errors));
                None
            }
        }
    }
}

/// Each `extends "base"` or `extends("base")` on its own line: the line number and the name.
fn extended(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(at, line)| {
        let rest = line.trim().strip_prefix("extends")?.trim_start().trim_start_matches('(').trim();
        let rest = rest.strip_prefix(['"', '\''])?;
        Some((at + 1, &rest[..rest.find(['"', '\''])?]))
    })
}

#[cfg(test)]
mod tests {
    use uphold_model::Sources;

    use super::*;
    use crate::interpreter::Interpreter;

    const FILE: &str = "kinds/edited.luau";

    fn version(number: usize) -> Registry {
        let text = format!(
            "properties.x = {{ type = \"list of int\", default = {{ 1 }} }}\nfunction actions.create() log.info({number}) end"
        );
        let mut sources = Sources::default();
        let source = sources.add(FILE, text.as_str());
        let mut kinds = Registry::default();
        let problems = define(&[ScriptFile { name: FILE, source, text: &text }], &[], &mut kinds);
        assert!(problems.is_empty(), "{problems:?}");
        kinds
    }

    /// A watch whose kinds are edited repeatedly keeps only those in use, and shares one schema while it is unchanged.
    #[test]
    fn drops_unused_kinds() {
        let schema = |kinds: &Registry| kinds.get("edited").expect("a defined kind").schema();
        let used = version(0);
        for number in 1..20 {
            assert!(std::ptr::eq(schema(&version(number)), schema(&used)));
        }
        let last = version(20);
        let known = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(known.iter().filter(|one| one.name == FILE).count(), 2);
        let interpreter = Interpreter::here().expect("an interpreter");
        assert!(interpreter.loaded_count() <= 3, "{}", interpreter.loaded_count());
        drop(last);
    }

    #[test]
    fn finds_parents() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            assert_eq!(extended(text).collect::<Vec<_>>(), expected, "{text}");
        };
        check("extends \"base\"\n", &[(1, "base")]);
        check("-- hello\n  extends('base') -- comment\n", &[(2, "base")]);
        check("extends \"a\"\nextends \"b\"\n", &[(1, "a"), (2, "b")]);
        check("-- extends \"base\"\n", &[]);
        check("extends_x = 1\n", &[]);
    }
}
