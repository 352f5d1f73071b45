//! The examples of `docs/external.md`: real programs, on real files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use uphold_external::{KindDefinition, define, read_manifests};
use uphold_host::LocalHost;
use uphold_model::{Action, Name, Value};
use uphold_resource::{Context, Definition, Desired, Fields, Instance, Registry};

fn kinds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/external/kinds")
        .canonicalize()
        .expect("they are there")
}

fn kind(file: &str) -> Arc<dyn Definition> {
    let text = std::fs::read_to_string(kinds().join(file)).expect("it exists");
    let (manifests, faults) = read_manifests(file, &text, &kinds());
    assert!(faults.is_empty(), "{faults:?}");
    let (mut made, faults) = define(&manifests, &|_| false);
    assert!(faults.is_empty(), "{faults:?}");
    match made.remove(0).definition {
        KindDefinition::Known(definition) => definition,
        KindDefinition::Printed(_) => panic!("{file} has its schema"),
    }
}

fn decode(
    kind: &Arc<dyn Definition>,
    label: &str,
    values: &[(&str, Value)],
    action: &Action,
) -> Box<dyn Instance> {
    let mut registry = Registry::default();
    registry.define(kind.clone()).expect("a sound kind");
    let values: Vec<(Name, Value)> =
        values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let fields = Fields::new(label, values, action, Context::NOTHING);
    let (instance, findings) = registry.get(kind.schema().kind).expect("it was defined").decode(fields);
    instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
}

/// Applies and checks again: whether something was changed, and the differences.
fn apply(instance: &dyn Instance, desired: Desired) -> Vec<String> {
    let machine = LocalHost::new().machine();
    let host = machine.act();
    let seen = instance.observe(desired, &host).unwrap_or_else(|error| panic!("{}", error.chain()));
    if !seen.converged {
        instance.apply(&seen, &host).unwrap_or_else(|error| panic!("{}", error.chain()));
    }
    assert!(instance.observe(desired, &host).expect("it loads").converged, "it is done");
    seen.differences.iter().map(|difference| difference.property.to_string()).collect()
}

#[test]
fn each_program_is_short() {
    for program in ["git-setting", "sqlite_row.py"] {
        let lines = std::fs::read_to_string(kinds().join(program)).expect("it exists").lines().count();
        assert!(lines < 60, "{program}: {lines} lines");
    }
}

#[test]
fn the_shell_example_manages_a_git_setting() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("gitconfig");
    let kind = kind("git_setting.dsc.resource.json");
    let place = || ("file", Value::text(file.to_str().expect("plain")));
    let set =
        |value: &str| decode(&kind, "user.name", &[place(), ("value", value.into())], &Action::Converge);
    assert_eq!(apply(&*set("Ada \"L\" \\ x"), Desired::Present), ["file", "value"]);
    assert!(apply(&*set("Ada \"L\" \\ x"), Desired::Present).is_empty());
    assert_eq!(apply(&*set("Grace"), Desired::Present), ["value"]);
    let text = std::fs::read_to_string(&file).expect("it exists");
    assert!(text.contains("name = Grace"), "{text}");
    apply(&*decode(&kind, "user.name", &[place()], &Action::Remove), Desired::Absent);
    assert!(!std::fs::read_to_string(&file).expect("it exists").contains("Grace"));
}

#[test]
fn errors_of_the_shell_example_have_their_meaning() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("gitconfig");
    std::fs::write(&file, "[broken").expect("written");
    let place = ("file", Value::text(file.to_str().expect("plain")));
    let block = decode(&kind("git_setting.dsc.resource.json"), "user.name", &[place], &Action::Converge);
    let error = block
        .observe(Desired::Present, &LocalHost::new().machine().reading())
        .err()
        .expect("it is no file of git");
    assert!(
        error.chain().starts_with("cannot `get` Example.Git/Setting: its program exited with status"),
        "{}",
        error.chain()
    );
}

#[test]
fn the_python_example_manages_a_row() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("a b?.db");
    let python = |script: &str| {
        let output =
            Command::new("python3").args(["-c", script]).arg(&file).output().expect("python3 exists");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let sql = |sql: &str| {
        python(&format!(
            "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as db: print(db.execute({sql:?}).fetchall())"
        ))
    };
    sql("CREATE TABLE people (name, role, visits)");
    let kind = kind("sqlite_row.dsc.resource.json");
    let key = || ("key", Value::map([("name", Value::text("ada"))]));
    let place =
        || [("database", Value::text(file.to_str().expect("plain"))), ("table", "people".into()), key()];
    let row = |role: &str| {
        let values = Value::map([("role", Value::text(role))]);
        decode(&kind, "ada", &[&place()[..], &[("values", values)]].concat(), &Action::Converge)
    };
    assert_eq!(apply(&*row("admin"), Desired::Present), ["key", "table", "values"]);
    sql("UPDATE people SET visits = 7, role = 'guest'");
    assert_eq!(apply(&*row("admin"), Desired::Present), ["values"]);
    assert_eq!(sql("SELECT * FROM people"), "[('ada', 'admin', 7)]\n");
    assert!(apply(&*row("admin"), Desired::Present).is_empty());
    apply(&*decode(&kind, "ada", &place(), &Action::Remove), Desired::Absent);
    assert_eq!(sql("SELECT * FROM people"), "[]\n");
}

#[test]
fn the_page_shows_the_current_examples() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/external.md");
    let page = std::fs::read_to_string(page).expect("it exists");
    for file in ["git_setting.dsc.resource.json", "git-setting", "sqlite_row.py"] {
        let text = std::fs::read_to_string(kinds().join(file)).expect("it exists");
        assert!(page.contains(&text), "docs/external.md does not show {file}");
    }
}
