//! Tests of `task` beyond the facts.

use uphold_builtin::{Task, TaskGoal};
use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::{Desired, ErrorKind, Found, Level, Look, Output, Resource, Step};
use uphold_testkit::MemoryHost;

use super::block::{Block, block, list};
use super::short_timeout::short_timeout;

fn task(check: &str, apply: &str) -> Block {
    block("task").set("check", check).set("apply", apply)
}

fn run(apply: &str) -> Block {
    block("task").set("apply", apply).action("run")
}

#[test]
fn runs_until_the_check_passes() {
    let dir = tempfile::tempdir().expect("a directory");
    let task = task("echo checked; test -e done", "echo applied; touch done")
        .set("dir", dir.path().to_str().expect("a plain path"));
    let host = LocalHost::new().machine();
    let first = task.visit(&host.act()).expect("it runs");
    assert_eq!((first.changed, first.text("status.stdout").as_str()), (true, "applied\n"));
    let second = task.visit(&host.act()).expect("it loads");
    assert_eq!((second.changed, second.text("status.stdout").as_str()), (false, "checked\n"));
}

#[test]
fn both_check_and_creates_must_be_satisfied() {
    let check = |creates: bool, passes: bool, done: bool| {
        let host = MemoryHost::new();
        let host = if creates { host.file("/made", "", 0o644) } else { host };
        let block = task(if passes { "true" } else { "false" }, "true").set("creates", "/made");
        let seen = block
            .decode(&host.act())
            .expect("sound")
            .observe(Desired::Present, &host.act())
            .expect("it loads");
        assert_eq!(seen.converged, done, "creates {creates}, check {passes}");
    };
    check(true, true, true);
    check(true, false, false);
    check(false, true, false);
    check(false, false, false);
}

#[test]
fn a_dangling_link_counts_as_created() {
    let host = MemoryHost::new().link("/made", "/nowhere");
    let visit = block("task").set("creates", "/made").set("apply", "false").visit(&host.act());
    assert!(!visit.expect("it exists").changed);
}

#[test]
fn run_ignores_the_check() {
    let visit =
        run("echo ran").set("check", "echo asked").visit(&LocalHost::new().machine().act()).expect("it runs");
    assert_eq!((visit.changed, visit.text("status.stdout").as_str()), (true, "ran\n"));
}

#[test]
fn only_some_statuses_are_success() {
    let check = |apply: &str, returns: &[i64], message: Option<&str>| {
        let returns = Value::list(returns.iter().copied().map(Value::Int));
        let visit = run(apply).set("returns", returns).visit(&LocalHost::new().machine().act());
        assert_eq!(visit.err().map(|e| e.to_string()).as_deref(), message, "{apply}");
    };
    check("exit 0", &[0], None);
    check("exit 3", &[0, 3], None);
    check("exit 4", &[0, 2, 3], Some("`apply` exited with status 4, not 0, 2 or 3"));
    check("exit 0", &[3], Some("`apply` exited with status 0, not 3"));
    check("kill -KILL $$", &[0, 137], Some("`apply` was killed by signal 9"));
}

#[test]
fn a_failure_shows_the_output() {
    let check = |apply: &str, chain: &str| {
        let error = run(apply).error(&LocalHost::new().machine().act());
        assert_eq!((error.kind(), error.chain().as_str()), (ErrorKind::Rejected, chain));
    };
    check("echo out; echo err >&2; exit 1", "`apply` exited with status 1, not 0: err");
    check("echo out; exit 1", "`apply` exited with status 1, not 0: out");
    check("exit 1", "`apply` exited with status 1, not 0");
}

#[test]
fn a_check_that_cannot_start_is_an_error() {
    let check = |property: &str, value: &str, kind: ErrorKind| {
        let error = task("true", "true").set(property, value).error(&LocalHost::new().machine().act());
        assert_eq!(error.kind(), kind, "{}", error.chain());
        assert_eq!(error.to_string(), "cannot run `check`");
        assert!(error.chain().len() > "cannot run `check`: ".len(), "{}", error.chain());
    };
    check("interpreter", "/nonexistent/sh", ErrorKind::Missing);
    check("interpreter", "no-such-interpreter", ErrorKind::Missing);
    check("dir", "/nonexistent", ErrorKind::Missing);
    check("user", "nobody-of-this-name", ErrorKind::Missing);
    check("group", "nobody-of-this-name", ErrorKind::Missing);
}

/// A check with a typing error fails whatever `apply` does.
#[test]
fn fails_if_the_check_fails_after_apply() {
    let check = |block: Block, chain: &str| {
        let error = block.error(&LocalHost::new().machine().act());
        assert_eq!((error.kind(), error.chain().as_str()), (ErrorKind::Rejected, chain));
        assert!(error.advice().is_some_and(|advice| advice.starts_with("correct `c")), "{chain}");
    };
    check(
        task("echo nope >&2; exit 2", "true"),
        "`check` still fails after `apply`: `check` exited with status 2, not 0: nope",
    );
    let made = || block("task").set("creates", "/nonexistent/made").set("apply", "true");
    check(made(), "`apply` succeeded, but /nonexistent/made still does not exist");
    check(made().set("check", "true"), "`apply` succeeded, but /nonexistent/made still does not exist");
}

#[test]
fn user_must_exist_if_there_is_work() {
    let look = |creates: &str, property: &str| {
        let block = block("task").set("creates", creates).set("apply", "true");
        let host = LocalHost::new().machine();
        let instance = block.set(property, "nobody-of-this-name").decode(&host.act()).expect("sound");
        instance
            .observe(Desired::Present, &host.act())
            .map(|seen| seen.converged)
            .map_err(|error| error.kind())
    };
    for property in ["user", "group"] {
        assert_eq!(look("/nonexistent/made", property), Err(ErrorKind::Missing), "{property}");
        assert_eq!(look("/", property), Ok(true), "{property}");
    }
}

/// In a plan on a new machine, the directory is not created yet.
#[test]
fn check_is_skipped_until_its_directory_exists() {
    let check = |block: Block| {
        let host = MemoryHost::new().managing("/srv/app").managing("/opt/sh");
        let seen = block
            .decode(&host.act())
            .expect("sound")
            .observe(Desired::Present, &host.act())
            .expect("it loads");
        assert!(!seen.converged);
    };
    check(task("true", "true").set("dir", "/srv/app"));
    check(task("true", "true").set("interpreter", "/opt/sh"));
}

#[test]
fn a_slow_check_is_an_error() {
    let error = task("sleep 30", "true").error(&short_timeout().act());
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::TimedOut, "`check` timed out and was killed")
    );
}

#[test]
fn scripts_run_with_their_settings() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().to_str().expect("a plain path").to_owned();
    let check = |block: Block, stdout: &str| {
        assert_eq!(
            block.visit(&LocalHost::new().machine().act()).expect("it runs").text("status.stdout"),
            stdout
        );
    };
    check(run("pwd").set("dir", path.as_str()), &format!("{path}\n"));
    check(run("cat").set("stdin", "a\nb"), "a\nb");
    check(run("cat"), "");
    check(run("echo $A-$B").set("env", Value::map([("A", "x y".into()), ("B", "$A".into())])), "x y-$A\n");
    check(run("exit 3").set("interpreter", "echo").set("flags", list(&["-n", "a"])), "a exit 3");
    check(run("echo $0").set("interpreter", "sh").set("flags", list(&["-ec"])), "sh\n");
}

/// Standard input is for `apply` only.
#[test]
fn check_has_no_standard_input() {
    let visit =
        task("test -z \"$(cat)\"", "false").set("stdin", "word").visit(&LocalHost::new().machine().act());
    assert!(!visit.expect("the check passes").changed);
}

/// Only root can switch to another user.
#[test]
fn scripts_run_as_another_user() {
    let host = LocalHost::new().machine();
    let Some(nobody) = host.accounts.user("nobody").expect("accounts can be read") else { return };
    if host.accounts.current_uid() != 0 {
        return;
    }
    let check = |block: Block, ids: (u32, u32)| {
        let visit = block.set("dir", "/").visit(&host.act()).expect("it runs");
        assert_eq!(visit.text("status.stdout"), format!("{} {} {}\n", ids.0, ids.1, ids.1));
    };
    let ids = || run("echo $(id -u) $(id -g) $(id -G)");
    check(ids().set("user", "nobody"), (nobody.uid, nobody.gid));
    check(ids().set("user", Value::Int(i64::from(nobody.uid))), (nobody.uid, nobody.gid));
    check(ids().set("user", "nobody").set("group", Value::Int(12345)), (nobody.uid, 12345));
    check(ids().set("user", Value::Int(54321)).set("group", Value::Int(12345)), (54321, 12345));
    let error = ids().set("user", Value::Int(54321)).error(&host.act());
    assert_eq!((error.kind(), error.advice()), (ErrorKind::Missing, Some("set `group` as well")));
}

/// More than a pipe buffer, on both at once.
#[test]
fn captures_much_output_on_both_pipes() {
    let script = "i=0; while [ $i -lt 4000 ]; do echo $i-0123456789012345678901234567890123456789; \
                  echo $i-0123456789012345678901234567890123456789 >&2; i=$((i+1)); done";
    let visit = run(script).visit(&LocalHost::new().machine().act()).expect("it runs");
    for pipe in ["status.stdout", "status.stderr"] {
        let text = visit.text(pipe);
        assert_eq!(text.lines().count(), 4000, "{pipe}");
        assert!(text.ends_with("3999-0123456789012345678901234567890123456789\n"), "{pipe}");
    }
}

#[test]
fn reports_mistakes_before_anything_runs() {
    let check = |block: Block, problem: &str| {
        let found = block.decode(&MemoryHost::new().act()).err().expect("a problem");
        assert!(found.starts_with(problem), "{found}");
    };
    check(
        block("task").set("apply", "true"),
        "`check` or `creates` is required; add `check` or `creates`; if notifications run it, set `action = \"nothing\"`; to run it every time, `action = \"run\"`",
    );
    check(block("task").set("check", "true"), "`apply` is required to converge; add `apply = …` (string)");
    check(block("task").action("run"), "`apply` is required to run; add `apply = …` (string)");
    check(run("true").set("returns", Value::list([])), "`returns` = [] must have at least one status;");
    check(
        run("true").set("returns", Value::list([Value::Int(256)])),
        "`returns[0]` = 256 must be from 0 to 255; choose a number in that range",
    );
    check(
        run("true").set("env", Value::map([("A=B", Value::text("x"))])),
        "`env` = { \"A=B\" = \"x\" } must have names that are not empty and do not contain `=`;",
    );
}

/// A program can construct a resource that no block can declare.
#[test]
fn refuses_a_task_without_a_check() {
    let host = MemoryHost::new();
    let task = Task { apply: Some("touch /x".to_owned()), ..Task::named("t").expect("a name") };
    assert_eq!(task.load(&Look::to_read(&host.act())).and_then(Found::state).expect("no check"), None);
    let error = task.apply(Step::Create { goal: &TaskGoal {} }, &host.act()).expect_err("it has no check");
    let fix = "add `check` or `creates`; if notifications run it, set `action = \"nothing\"`; to run it every time, `action = \"run\"`";
    assert_eq!((error.kind(), error.advice()), (ErrorKind::Invalid, Some(fix)));
    let nothing = Task { apply: None, check: Some("false".to_owned()), ..task };
    let error = nothing.apply(Step::Create { goal: &TaskGoal {} }, &host.act()).expect_err("no script");
    assert_eq!((error.kind(), error.advice()), (ErrorKind::Invalid, Some("add `apply`")));
    assert!(host.writes().is_empty());
}

#[test]
fn dropped_output_is_a_warning() {
    let host = MemoryHost::new().program("chatty", |call| Output { dropped: 12, ..call.succeed("the end") });
    let visit = run("").set("interpreter", "chatty").visit(&host.act()).expect("its output is a log");
    assert_eq!(visit.text("status.stdout"), "the end");
    let expected = "`apply` printed too much: its first 12 bytes were dropped";
    assert_eq!(host.said(), [(Level::Warning, expected.to_owned())]);
}
