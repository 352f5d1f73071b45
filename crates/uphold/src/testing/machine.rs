//! The machine of a test, before anything is given.

use std::collections::BTreeMap;
use std::path::Path;

use uphold_memory::{Furnishing, MemoryHost};
use uphold_model::{Code, Diagnostic, Map, Name, Place, Value};
use uphold_resource::{FACTS, Facts, unknown_fact};

/// What every Linux has.
const DIRECTORIES: &[(&str, u32)] = &[
    ("/bin", 0o755),
    ("/boot", 0o755),
    ("/dev", 0o755),
    ("/etc", 0o755),
    ("/home", 0o755),
    ("/mnt", 0o755),
    ("/opt", 0o755),
    ("/proc", 0o555),
    ("/root", 0o700),
    ("/run", 0o755),
    ("/srv", 0o755),
    ("/sys", 0o555),
    ("/tmp", 0o1777),
    ("/usr/bin", 0o755),
    ("/usr/lib", 0o755),
    ("/usr/local/bin", 0o755),
    ("/usr/sbin", 0o755),
    ("/usr/share", 0o755),
    ("/var/cache", 0o755),
    ("/var/lib", 0o755),
    ("/var/log", 0o755),
    ("/var/spool", 0o755),
    ("/var/tmp", 0o1777),
];

/// Facts that a test sets, by their whole names.
pub(super) type GivenFacts = BTreeMap<String, Value>;

/// A machine with the usual directories, the user `root`, and these facts.
pub(super) fn machine(facts: &GivenFacts) -> MemoryHost {
    let host = facts.iter().fold(MemoryHost::new(), |host, (name, value)| host.fact(name, value.clone()));
    for (path, mode) in DIRECTORIES {
        let made = host.furnish(Path::new(path), Furnishing::Directory, *mode, 0, 0);
        made.expect("the usual directories can be made: a test says so");
    }
    host
}

/// The facts of a map, which nests as `host.…` does. What is no fact is reported.
pub(super) fn facts(map: &Map, place: Place, problems: &mut Vec<Diagnostic>) -> GivenFacts {
    let mut facts = GivenFacts::new();
    let mut ahead: Vec<(String, Value)> = entries(map, "");
    let usual = MemoryHost::new();
    while let Some((name, value)) = ahead.pop() {
        match (FACTS.iter().find(|fact| fact.name == name), &value) {
            (Some(_), _) => match unfit(&usual, &name, &value) {
                Some(detail) => {
                    problems.push(wrong(detail, place, "`uphold explain --facts` tells their types"));
                }
                None => _ = facts.insert(name, value),
            },
            (None, Value::Map(inner)) if is_part(&name) => ahead.extend(entries(inner, &format!("{name}."))),
            (None, _) => {
                let error = unknown_fact(&name);
                let fix = error.advice().unwrap_or("`uphold facts` lists them").to_owned();
                problems.push(wrong(error.to_string(), place, &fix));
            }
        }
    }
    facts
}

fn entries(map: &Map, before: &str) -> Vec<(String, Value)> {
    map.iter()
        .rev()
        .map(|(name, value): (&Name, &Value)| (format!("{before}{name}"), value.clone()))
        .collect()
}

/// Whether the names of facts go on after this.
fn is_part(name: &str) -> bool {
    FACTS.iter().any(|fact| fact.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// A fact has the type that it has on other machines, or is null.
fn unfit(usual: &MemoryHost, name: &str, value: &Value) -> Option<String> {
    let shape = Facts::fact(usual, name).ok()?.shape()?;
    let fits = *value == Value::Null || value.shape() == Some(shape);
    (!fits).then(|| format!("the fact {name} is {}; this is {}", shape.words(), value.type_name()))
}

fn wrong(detail: String, place: Place, fix: &str) -> Diagnostic {
    Diagnostic::new(Code::TestValue, detail).at(place).fix(fix)
}

#[cfg(test)]
mod tests {
    use uphold_model::SourceId;
    use uphold_resource::Files;

    use super::*;

    #[test]
    fn the_usual_directories_are_there() {
        let host = machine(&GivenFacts::new());
        for (path, mode) in DIRECTORIES {
            let entry = host.look(Path::new(path)).expect("a look").expect("it is there");
            assert_eq!(entry.mode, *mode, "{path}");
        }
    }

    #[test]
    fn facts_nest_and_are_checked() {
        let place = Place { source: SourceId::FIRST, start: 0, end: 0 };
        let check = |map: Value, expected: &str| {
            let Value::Map(map) = map else { panic!("a map") };
            let mut problems = Vec::new();
            let facts = facts(&map, place, &mut problems);
            let told = problems
                .iter()
                .map(|problem| format!("{}; {}", problem.detail, problem.fix.as_deref().unwrap_or_default()));
            let shown = facts.iter().map(|(name, value)| format!("{name} = {value}")).chain(told);
            assert_eq!(shown.collect::<Vec<_>>().join(" | "), expected);
        };
        let text = Value::text;
        check(
            Value::map([("os", Value::map([("family", text("redhat"))])), ("hostname", text("a"))]),
            "hostname = \"a\" | os.family = \"redhat\"",
        );
        check(Value::map([("domain", Value::Null)]), "domain = null");
        check(
            Value::map([("os", Value::map([("famly", text("x"))]))]),
            "there is no fact named os.famly; did you mean os.family?",
        );
        check(
            Value::map([("hostname", Value::Int(1))]),
            "the fact hostname is a string; this is a number; `uphold explain --facts` tells their types",
        );
        check(Value::map([("os", text("x"))]), "there is no fact named os; `uphold facts` lists them");
    }
}
