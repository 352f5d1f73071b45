//! No error repeats a script or a value of the environment.

use uphold_host::LocalHost;
use uphold_model::Value;

use crate::block::{Block, block};

const SECRET: &str = "hunter2-hunter2";

/// Blocks that fail in every way there is, with a secret in everything that may hold one.
fn failures() -> Vec<(&'static str, Block)> {
    let env = || Value::map([("TOKEN", Value::text(SECRET).sensitive())]);
    let script = |text: &str| Value::text(format!("x={SECRET}; {text}")).sensitive();
    let task = |apply: &str| {
        block("task").set("env", env()).set("check", script("false")).set("apply", script(apply))
    };
    let query = |text: &str| block("query").set("env", env()).set("query", script(text));
    vec![
        ("silent", task("exit 1")),
        ("told on stderr", task("echo bad $TOKEN >&2; exit 1")),
        ("told on stdout", task("echo bad $TOKEN; exit 1")),
        ("traced", task("set -x; test $TOKEN = no")),
        ("signal", task("echo $TOKEN >&2; kill -KILL $$")),
        ("slow", task("echo $TOKEN >&2; sleep 30").set("timeout", "100ms")),
        ("no interpreter", task("true").set("interpreter", "/nonexistent/sh")),
        ("no directory", task("true").set("dir", "/nonexistent")),
        ("no user", task("true").set("user", "nobody-of-this-name")),
        ("query", query("echo $TOKEN >&2; exit 1")),
        ("slow query", query("echo $TOKEN >&2; sleep 30").set("timeout", "100ms")),
        ("assertion", block("assert").set("command", script("exit 1"))),
    ]
}

#[test]
fn secrets_are_in_no_error() {
    for (name, block) in failures() {
        let error = block.error(&LocalHost::new());
        let texts =
            [error.to_string(), error.chain(), format!("{error:?}"), error.advice().unwrap_or("").to_owned()];
        for text in texts {
            assert!(!text.contains(SECRET), "{name}: {text}");
        }
    }
}

/// Hiding a value must not hide what went wrong.
#[test]
fn a_hidden_value_leaves_its_variable() {
    let (_, told) = failures().swap_remove(1);
    assert_eq!(told.error(&LocalHost::new()).chain(), "`apply` exited with status 1, not 0: bad $TOKEN");
}

#[test]
fn refused_values_are_not_shown() {
    let env = Value::map([("A=B", Value::text(SECRET).sensitive())]);
    let problem = block("query").set("query", "true").set("env", env).decode(&LocalHost::new()).err();
    let problem = problem.expect("a name with `=`");
    assert!(problem.starts_with("`env`") && !problem.contains(SECRET), "{problem}");
}

/// What is read by reference stays a secret.
#[test]
fn read_by_reference_they_stay_secrets() {
    let env = Value::map([("TOKEN", Value::text(SECRET).sensitive())]);
    let visit =
        block("query").set("query", "true").set("env", env).visit(&LocalHost::new()).expect("it runs");
    assert!(visit.value("env").is_sensitive());
    assert!(!visit.value("dir").is_sensitive());
}
