//! No error repeats a script or a value of the environment.

use uphold_host::LocalHost;
use uphold_model::Value;

use super::block::{Block, block};
use super::short_timeout::short_timeout;

const SECRET: &str = "hunter2-hunter2";

/// Blocks that fail in all possible ways, with a secret in every property that may contain one.
fn failures() -> Vec<(&'static str, Block)> {
    let env = || Value::map([("TOKEN", Value::text(SECRET).sensitive())]);
    let script = |text: &str| Value::text(format!("x={SECRET}; {text}")).sensitive();
    let secret = || Value::text(SECRET).sensitive();
    let task = |apply: &str| {
        block("task").set("env", env()).set("check", script("false")).set("apply", script(apply))
    };
    let query = |text: &str| block("query").set("env", env()).set("query", script(text));
    vec![
        ("silent", task("exit 1")),
        ("printed on stderr", task("echo bad $TOKEN >&2; exit 1")),
        ("printed on stdout", task("echo bad $TOKEN; exit 1")),
        ("traced", task("set -x; test $TOKEN = no")),
        ("signal", task("echo $TOKEN >&2; kill -KILL $$")),
        ("no interpreter", task("true").set("interpreter", "/nonexistent/sh")),
        ("no directory", task("true").set("dir", "/nonexistent")),
        ("no user", task("true").set("user", "nobody-of-this-name")),
        ("query", query("echo $TOKEN >&2; exit 1")),
        ("wait", block("wait_query").set("env", env()).set("query", script("echo $TOKEN >&2; exit 1"))),
        ("no match", block("wait_query").set("query", script("true")).set("matches", secret())),
        ("no line", block("wait_file").set("path", "/dev/null").set("content", secret())),
        ("assertion", block("assert").set("command", script("exit 1"))),
    ]
}

#[test]
fn secrets_are_in_no_error() {
    let slow = |kind: &'static str, property: &str| {
        let env = Value::map([("TOKEN", Value::text(SECRET).sensitive())]);
        block(kind).set("env", env).set(property, "echo $TOKEN >&2; sleep 30").error(&short_timeout().act())
    };
    let mut errors: Vec<_> = failures()
        .into_iter()
        .map(|(name, block)| (name, block.error(&LocalHost::new().machine().act())))
        .collect();
    errors.extend([("slow", slow("query", "query")), ("slow wait", slow("wait_query", "query"))]);
    for (name, error) in errors {
        let texts =
            [error.to_string(), error.chain(), format!("{error:?}"), error.advice().unwrap_or("").to_owned()];
        for text in texts {
            assert!(!text.contains(SECRET), "{name}: {text}");
        }
    }
}

/// Hiding a value must not hide the reason.
#[test]
fn a_hidden_value_is_replaced_by_its_variable() {
    let (_, printed) = failures().swap_remove(1);
    assert_eq!(
        printed.error(&LocalHost::new().machine().act()).chain(),
        "`apply` exited with status 1, not 0: bad $TOKEN"
    );
}

#[test]
fn refused_values_are_not_shown() {
    let env = Value::map([("A=B", Value::text(SECRET).sensitive())]);
    let problem =
        block("query").set("query", "true").set("env", env).decode(&LocalHost::new().machine().act()).err();
    let problem = problem.expect("a name with `=`");
    assert!(problem.starts_with("`env`") && !problem.contains(SECRET), "{problem}");
}

/// A value that is read by reference stays a secret.
#[test]
fn secrets_stay_secret_when_read_by_reference() {
    let env = Value::map([("TOKEN", Value::text(SECRET).sensitive())]);
    let visit = block("query")
        .set("query", "true")
        .set("env", env)
        .visit(&LocalHost::new().machine().act())
        .expect("it runs");
    assert!(visit.value("env").is_sensitive());
    assert!(!visit.value("dir").is_sensitive());
}
