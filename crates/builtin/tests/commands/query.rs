//! `query`.

use uphold_builtin::{Query, QueryState};
use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::{ErrorKind, Look, Resource, Step};
use uphold_testkit::MemoryHost;

use super::block::{Block, block};
use super::short_timeout::short_timeout;

fn query(script: &str) -> Block {
    block("query").set("query", script)
}

#[test]
fn value_has_no_final_newline() {
    let check = |script: &str, value: &str| {
        let visit = query(script).visit(&LocalHost::new().machine().act()).expect("it runs");
        assert_eq!((visit.changed, visit.text("value").as_str()), (false, value), "{script}");
    };
    check("echo a", "a");
    check("printf a", "a");
    check("printf 'a\\n\\n'", "a\n");
    check("true", "");
}

/// A lossy conversion would be another value.
#[test]
fn output_that_is_not_utf8_is_an_error() {
    let error = query("printf '\\377A'").error(&LocalHost::new().machine().act());
    assert_eq!((error.kind(), error.chain().as_str()), (ErrorKind::Rejected, "the output is not UTF-8 text"));
}

#[test]
fn exports_its_status() {
    let block = query("echo out; echo err >&2; exit 2").set("returns", Value::list([Value::Int(2)]));
    let visit = block.visit(&LocalHost::new().machine().act()).expect("2 is a success");
    assert_eq!(visit.text("status.stdout"), "out\n");
    assert_eq!(visit.text("status.stderr"), "err\n");
    assert_eq!(visit.value("status.exitstatus"), Value::Int(2));
}

#[test]
fn any_other_status_is_an_error() {
    let error = query("echo why >&2; exit 2").error(&LocalHost::new().machine().act());
    assert_eq!(error.kind(), ErrorKind::Rejected);
    assert_eq!(error.chain(), "`query` exited with status 2, not 0: why");
    assert_eq!(query("sleep 30").error(&short_timeout().act()).kind(), ErrorKind::TimedOut);
    let error = query("true").set("interpreter", "/nonexistent/sh").error(&LocalHost::new().machine().act());
    assert_eq!(error.kind(), ErrorKind::Missing);
}

#[test]
fn runs_with_its_settings() {
    let block = query("pwd; cat; echo $A").set("dir", "/").set("stdin", "in\n");
    let visit =
        block.set("env", Value::map([("A", Value::text("x"))])).visit(&LocalHost::new().machine().act());
    assert_eq!(visit.expect("it runs").text("value"), "/\nin\nx");
}

/// It runs as a probe, never as a command that changes something.
#[test]
fn runs_as_a_probe() {
    let host = MemoryHost::new();
    assert_eq!(query("echo a").visit(&host.act()).expect("it runs").text("value"), "a");
    assert!(host.writes().is_empty());
}

#[test]
fn needs_a_script_and_changes_nothing() {
    let host = MemoryHost::new();
    let problem = block("query").decode(&host.act()).err();
    assert_eq!(problem.as_deref(), Some("`query` is required to converge; add `query = …` (string)"));
    let query = Query::named("q").expect("a name");
    assert_eq!(
        query.load(&Look::to_read(&host.act())).map(drop).expect_err("no script").advice(),
        Some("add `query`")
    );
    let current = QueryState { value: String::new(), status: uphold_builtin::Status::default() };
    let error = query.apply(Step::Remove { current: &current }, &host.act()).expect_err("it is read-only");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn too_much_output_is_an_error() {
    let error = query("head -c 16777217 /dev/zero").error(&LocalHost::new().machine().act());
    assert_eq!(error.kind(), ErrorKind::Rejected);
    assert_eq!(error.chain(), "cannot run `query`: /bin/sh wrote more than 16 MiB to standard output");
}
