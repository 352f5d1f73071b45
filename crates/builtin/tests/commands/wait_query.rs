//! `wait_query`.

use std::time::Duration;

use uphold_builtin::{QueryState, WaitQuery, WaitQueryState};
use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::{ErrorKind, Look, Resource, Step};
use uphold_testkit::MemoryHost;

use super::block::{Block, block};
use super::short_timeout::short_timeout;
use super::waiting::until_ready;

fn wait(script: &str) -> Block {
    block("wait_query").set("query", script)
}

#[test]
fn has_a_value_when_it_is_over() {
    let visit =
        wait("echo node-7; echo why >&2").visit(&LocalHost::new().machine().act()).expect("it succeeds");
    assert_eq!((visit.changed, visit.text("value").as_str()), (false, "node-7"));
    assert_eq!(visit.text("status.stderr"), "why\n");
    let block = wait("exit 3").set("returns", Value::list([Value::Int(3)]));
    assert_eq!(
        block.visit(&LocalHost::new().machine().act()).expect("3 is fine").value("status.exitstatus"),
        Value::Int(3)
    );
}

#[test]
fn reports_the_reason_for_waiting() {
    let check = |block: Block, what: &str, chain: &str| {
        let error = block.set("every", "20s").error(&LocalHost::new().machine().act());
        assert_eq!((error.kind(), error.retry_after()), (ErrorKind::NotYet, Some(Duration::from_secs(20))));
        assert_eq!((error.to_string().as_str(), error.chain().as_str()), (what, chain));
    };
    let status = "`query` exited with status 2, not 0";
    check(wait("echo booting >&2; exit 2"), status, &format!("{status}: booting"));
    check(wait("kill -KILL $$"), "`query` was killed by signal 9", "`query` was killed by signal 9");
    let unmatched = "no line of the output of `query` matches `matches` yet";
    check(wait("echo already").set("matches", "^ready"), unmatched, unmatched);
}

#[test]
fn a_line_must_match() {
    let check = |script: &str, expected: bool| {
        let visit = wait(script).set("matches", "^(leader|master)$").visit(&LocalHost::new().machine().act());
        assert_eq!(visit.is_ok(), expected, "{script}");
    };
    check("echo leader", true);
    check("echo state; echo master; echo end", true);
    check("echo no leader", false);
    check("echo leader >&2", false);
    check("true", false);
    check("echo leader; exit 1", false);
}

#[test]
fn repeats_until_the_script_succeeds() {
    let dir = tempfile::tempdir().expect("a directory");
    let count = "echo x >> looks; test $(wc -l < looks) -ge 3";
    let block = wait(count).set("dir", dir.path().to_str().expect("a plain path")).set("every", "1ms");
    assert_eq!(until_ready(&block, &LocalHost::new().machine().act()), 3);
}

/// A script that cannot be started is an error, not a reason to wait.
#[test]
fn fails_if_the_script_cannot_run() {
    let check = |block: Block, kind: ErrorKind| {
        assert_eq!(block.error(&LocalHost::new().machine().act()).kind(), kind);
    };
    check(wait("true").set("interpreter", "/nonexistent/sh"), ErrorKind::Missing);
    check(wait("true").set("dir", "/nonexistent"), ErrorKind::Missing);
    let error = wait("sleep 30").error(&short_timeout().act());
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::TimedOut, "`query` timed out and was killed")
    );
}

#[test]
fn refuses_invalid_properties() {
    let check = |block: Block, problem: &str| {
        let found = block.decode(&MemoryHost::new().act()).err().expect("a problem");
        assert!(found.starts_with(problem), "{found}");
    };
    check(block("wait_query"), "`query` is required to converge");
    check(wait("true").set("matches", "["), "`matches` = \"[\" is not a regular expression");
    check(wait("true").set("every", Value::Int(0)), "`every` = \"0s\" must be longer than 0s");
    check(wait("true").set("returns", Value::list([])), "`returns` = [] must have at least one status");
}

#[test]
fn changes_nothing() {
    let host = MemoryHost::new();
    assert_eq!(wait("echo a").visit(&host.act()).expect("it runs").text("value"), "a");
    assert!(host.writes().is_empty());
    let wait = WaitQuery::named("w").expect("a name");
    assert_eq!(
        wait.load(&Look::to_read(&host.act())).map(drop).expect_err("no script").advice(),
        Some("add `query`")
    );
    let query = QueryState { value: String::new(), status: uphold_builtin::Status::default() };
    let current = WaitQueryState { query };
    let error = wait.apply(Step::Remove { current: &current }, &host.act()).expect_err("it is read-only");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}
