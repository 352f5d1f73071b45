//! The machine of a test, before the run.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use uphold_memory::{Answer, Fixture, MemoryHost};
use uphold_model::{Code, Diagnostic, Map, Name, Place, Value};
use uphold_resource::{Accounts, FACTS, Facts, Group, User, unknown_fact};

use super::section::Section;

/// The usual directories of a Linux machine with mode 0755.
const DIRECTORIES: &str = "/bin /boot /dev /etc /home /mnt /opt /run /srv /usr/bin /usr/lib /usr/local/bin /usr/sbin \
                           /usr/share /var/cache /var/lib /var/log /var/spool";

/// The usual directories with other modes.
const SPECIAL_DIRECTORIES: [(&str, u32); 5] =
    [("/proc", 0o555), ("/root", 0o700), ("/sys", 0o555), ("/tmp", 0o1777), ("/var/tmp", 0o1777)];

fn usual_directories() -> impl Iterator<Item = (&'static str, u32)> {
    DIRECTORIES.split_whitespace().map(|path| (path, 0o755)).chain(SPECIAL_DIRECTORIES)
}

/// Facts that a test sets, by their full names.
pub(super) type GivenFacts = BTreeMap<String, Value>;

/// A machine with the usual directories, the user `root`, and these facts.
pub(super) fn machine(facts: &GivenFacts) -> MemoryHost {
    let host = facts.iter().fold(MemoryHost::new(), |host, (name, value)| host.fact(name, value.clone()));
    for (path, mode) in usual_directories() {
        let made = host.furnish(Path::new(path), Fixture::Directory, mode, 0, 0);
        made.expect("the usual directories can be created: a test checks it");
    }
    host
}

/// The facts of a nested map, like `host.…`. Unknown facts are reported.
pub(super) fn facts(map: &Map, place: Place, problems: &mut Vec<Diagnostic>) -> GivenFacts {
    let mut facts = GivenFacts::new();
    let mut ahead: Vec<(String, Value)> = entries(map, "");
    let usual = MemoryHost::new();
    while let Some((name, value)) = ahead.pop() {
        match (FACTS.iter().find(|fact| fact.name == name), &value) {
            (Some(_), _) => match unfit(&usual, &name, &value) {
                Some(detail) => {
                    problems.push(wrong(detail, place, "`uphold explain --facts` shows their types"));
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

/// Whether this is the prefix of a fact.
fn is_part(name: &str) -> bool {
    FACTS.iter().any(|fact| fact.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// Why a value has the wrong type: a fact has its usual type, or is null.
fn unfit(usual: &MemoryHost, name: &str, value: &Value) -> Option<String> {
    let shape = Facts::fact(usual, name).ok()?.shape()?;
    let fits = *value == Value::Null || value.shape() == Some(shape);
    (!fits).then(|| format!("the fact {name} is {}; this is {}", shape.words(), value.type_name()))
}

fn wrong(detail: String, place: Place, fix: &str) -> Diagnostic {
    Diagnostic::new(Code::TestValue, detail).at(place).fix(fix)
}

/// The paths that `given` creates.
pub(super) fn given_paths(given: Section<'_>) -> impl Iterator<Item = &str> {
    ["directory", "file", "link"]
        .into_iter()
        .flat_map(move |word| given.blocks(word))
        .map(|block| block.label())
}

/// Sets up the machine by `given`, except for these paths. Invalid values are reported.
pub(super) fn set_up(given: Section<'_>, except: &HashSet<&str>, host: &MemoryHost) {
    let blocks = |word| given.blocks(word).filter(|block| !except.contains(block.label()));
    given.blocks("group").for_each(|group| set_up_group(group, host));
    given.blocks("user").for_each(|user| set_up_user(user, host));
    blocks("directory").for_each(|directory| put(directory, Fixture::Directory, 0o755, host));
    for file in blocks("file") {
        let content = file.text("content").unwrap_or_default();
        put(file, Fixture::File(content.into_bytes()), 0o644, host);
    }
    for link in blocks("link") {
        match link.text("to") {
            Some(target) => put(link, Fixture::Link(target.into()), 0o777, host),
            None if link.expression("to").is_some() => {}
            None => link.wrong(link.block.place, "`to` is missing", "set `to`"),
        }
    }
    given.blocks("command").for_each(|command| set_up_command(command, host));
    ports(given, host);
}

fn put(section: Section<'_>, what: Fixture, usual: u32, host: &MemoryHost) {
    let Some(path) = section.path() else { return };
    let mode = section.mode("mode").unwrap_or(usual);
    let uid = id(section, "owner", "user", |name| Some(host.user(name).ok()??.uid));
    let gid = id(section, "group", "group", |name| Some(host.group(name).ok()??.gid));
    if let Err(error) = host.furnish(&path, what, mode, uid, gid) {
        let fix = error.advice().unwrap_or("use another path").to_owned();
        section.wrong(section.block.place, error.chain(), &fix);
    }
}

/// The id of a user or group that an attribute names; 0 if it is not set.
fn id(section: Section<'_>, attribute: &str, what: &str, find: impl Fn(&str) -> Option<u32>) -> u32 {
    let Some(name) = section.text(attribute) else { return 0 };
    find(&name).or_else(|| name.parse().ok()).unwrap_or_else(|| {
        let place = section.expression(attribute).map(|expression| expression.place);
        let detail = format!("the machine of this test has no {what} {name:?}");
        section.wrong(place, detail, &format!("add `{what} \"{name}\" {{}}` to `given`"));
        0
    })
}

/// The first free id of a normal user.
fn free(taken: impl Fn(u32) -> bool) -> u32 {
    (1000..).find(|id| !taken(*id)).unwrap_or_default()
}

fn set_up_group(section: Section<'_>, host: &MemoryHost) {
    let gid =
        section.number("gid").unwrap_or_else(|| free(|gid| matches!(host.group_by_id(gid), Ok(Some(_)))));
    let members = section.texts("members").unwrap_or_default();
    let members = members.into_iter().map(|(name, _)| name).collect();
    host.put_group(Group { name: section.label().to_owned(), gid, members });
}

/// A user has a group of the same name, unless it is given another one.
fn set_up_user(section: Section<'_>, host: &MemoryHost) {
    let name = section.label();
    let taken =
        |id| matches!(host.user_by_id(id), Ok(Some(_))) || matches!(host.group_by_id(id), Ok(Some(_)));
    let uid = section.number("uid").unwrap_or_else(|| free(taken));
    let own = host.group(name).ok().flatten().map(|group| group.gid);
    let gid = section.number("gid").or(own).unwrap_or(uid);
    if !matches!(host.group_by_id(gid), Ok(Some(_))) {
        host.put_group(Group { name: name.to_owned(), gid, members: Vec::new() });
    }
    let home = section.text("home").map_or_else(|| PathBuf::from(format!("/home/{name}")), PathBuf::from);
    let shell = section.text("shell").unwrap_or_else(|| "/bin/sh".to_owned());
    host.put_user(User { name: name.to_owned(), uid, gid, home, shell: shell.into() });
}

fn set_up_command(section: Section<'_>, host: &MemoryHost) {
    let answer = Answer {
        does: section.text("does"),
        status: section.number("status"),
        stdout: section.text("stdout").unwrap_or_default().into_bytes(),
        stderr: section.text("stderr").unwrap_or_default().into_bytes(),
    };
    host.answer(section.label(), answer);
}

/// `"localhost:80"`, or a number for the local machine.
fn ports(section: Section<'_>, host: &MemoryHost) {
    let Some((value, place)) = section.value("ports") else { return };
    let items = match value {
        Value::List(items) => items.to_vec(),
        single => vec![single],
    };
    for item in items {
        let text = if let Value::Text(text) = &item { text.to_string() } else { item.to_string() };
        let (name, port) = text.rsplit_once(':').unwrap_or(("localhost", &text));
        match port.parse() {
            Ok(port) => host.open_port(name, port),
            Err(_) => {
                section.wrong(place, format!("{item} is no port"), "write `80` or `\"db.example:5432\"`");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::SourceId;
    use uphold_resource::Files;

    use super::*;

    #[test]
    fn the_usual_directories_exist() {
        let host = machine(&GivenFacts::new());
        for (path, mode) in usual_directories() {
            let entry = host.look(Path::new(path)).expect("a look").expect("it exists");
            assert_eq!(entry.mode, mode, "{path}");
        }
    }

    #[test]
    fn facts_nest_and_are_checked() {
        let place = Place { source: SourceId::FIRST, start: 0, end: 0 };
        let check = |map: Value, expected: &str| {
            let Value::Map(map) = map else { panic!("a map") };
            let mut problems = Vec::new();
            let facts = facts(&map, place, &mut problems);
            let shown_problems = problems
                .iter()
                .map(|problem| format!("{}; {}", problem.detail, problem.fix.as_deref().unwrap_or_default()));
            let shown = facts.iter().map(|(name, value)| format!("{name} = {value}")).chain(shown_problems);
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
            "the fact hostname is a string; this is a number; `uphold explain --facts` shows their types",
        );
        check(Value::map([("os", text("x"))]), "there is no fact named os; `uphold facts` lists them");
    }
}
