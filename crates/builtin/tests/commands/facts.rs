//! Facts about running commands that the tests of other systems pin down, by their ids.

use std::time::Duration;

use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::ErrorKind;
use uphold_testkit::MemoryHost;

use super::block::block;
use super::short_timeout::short_timeout;

/// The path of an entry in a temporary directory.
fn inside(dir: &tempfile::TempDir, name: &str) -> String {
    dir.path().join(name).to_str().expect("a plain path").to_owned()
}

/// Here the label is only a name, and the command runs depending on a check; `run` always runs it.
#[test]
fn exe_01_run_executes_and_status_zero_is_success() {
    let visit = block("task")
        .set("apply", "echo hi")
        .action("run")
        .visit(&LocalHost::new().machine().act())
        .expect("it runs");
    assert!(visit.changed);
    assert_eq!(visit.value("returns"), Value::list([Value::Int(0)]));
    assert_eq!(
        (visit.text("status.stdout").as_str(), visit.value("status.exitstatus")),
        ("hi\n", Value::Int(0))
    );
}

#[test]
fn exe_02_the_script_is_its_own_property() {
    let visit = block("task")
        .label("exit 7")
        .set("apply", "echo hi")
        .action("run")
        .visit(&LocalHost::new().machine().act());
    assert_eq!(visit.expect("the label is not run").text("status.stdout"), "hi\n");
}

#[test]
fn exe_03_environment_is_extended() {
    let variables = |visit: &crate::commands::block::Visit| {
        let text = visit.text("value");
        // Variables that the shell itself sets.
        let own = ["_=", "PWD=", "OLDPWD=", "SHLVL="];
        text.lines()
            .filter(|line| !own.iter().any(|o| line.starts_with(o)))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let host = LocalHost::new().machine();
    let inherited =
        variables(&block("query").set("query", "env | sort").visit(&host.act()).expect("env runs"));
    let env = Value::map([("UPHOLD_ADDED", Value::text("yes"))]);
    let added =
        block("query").set("query", "env | sort").set("env", env).visit(&host.act()).expect("env runs");
    let mut expected = inherited.clone();
    expected.push("UPHOLD_ADDED=yes".to_owned());
    expected.sort();
    let mut added = variables(&added);
    added.sort();
    assert!(inherited.iter().any(|line| line.starts_with("PATH=")), "{inherited:?}");
    assert_eq!(added, expected);
}

/// For a resource with secrets, the engine shows the message without its causes.
#[test]
fn exe_04_the_message_of_a_failure_has_no_output() {
    let error = block("task")
        .set("check", "false")
        .set("apply", "echo geheim; echo geheim >&2; exit 3")
        .error(&LocalHost::new().machine().act());
    assert_eq!(error.to_string(), "`apply` exited with status 3, not 0");
    assert_eq!(error.chain(), "`apply` exited with status 3, not 0: geheim");
}

#[test]
fn exe_05_an_existing_path_is_not_created() {
    let dir = tempfile::tempdir().expect("a directory");
    let task = block("task")
        .set("creates", inside(&dir, "made"))
        .set("apply", format!("echo x >> {}", inside(&dir, "made")));
    let host = LocalHost::new().machine();
    assert!(task.visit(&host.act()).expect("it runs").changed);
    let again = task.visit(&host.act()).expect("it loads");
    assert!(!again.changed);
    assert_eq!(again.value("status.exitstatus"), Value::Int(0));
    let content = block("query").set("query", format!("cat {}", inside(&dir, "made"))).visit(&host.act());
    assert_eq!(content.expect("cat runs").text("value"), "x");
}

#[test]
fn exe_06_relative_creates_needs_a_directory() {
    let dir = tempfile::tempdir().expect("a directory");
    let task = || block("task").set("creates", "made").set("apply", "touch made");
    let host = LocalHost::new().machine();
    let problem = task().decode(&host.act()).err().expect("a problem");
    assert_eq!(problem, "`creates` = \"made\" must be an absolute path; begin it with `/` or `~/`");
    let within = task().set("dir", dir.path().to_str().expect("a plain path"));
    let visit = within.visit(&host.act()).expect("it runs");
    assert!(visit.changed);
    assert_eq!(visit.text("creates"), inside(&dir, "made"));
    assert!(!within.visit(&host.act()).expect("it loads").changed);
}

/// Both the time limit of the script and the grace period are far below these.
#[test]
fn exe_07_timeout_kills_the_whole_group_promptly() {
    let dir = tempfile::tempdir().expect("a directory");
    let late = inside(&dir, "late");
    let script = format!("(sleep 1; touch {late}) & sleep 30");
    let host = LocalHost::new().machine();
    let started = host.clock.elapsed();
    let error = block("task").set("apply", script).action("run").error(&short_timeout().act());
    assert!(host.clock.elapsed() - started < Duration::from_secs(25));
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(error.to_string(), "`apply` timed out and was killed");
    assert_eq!(error.advice(), Some("raise `timeout`, or check what the script waits for"));
    // A surviving child would have written the file by now.
    let found = block("query").set("query", format!("sleep 1.5; test ! -e {late}")).visit(&host.act());
    assert!(found.is_ok(), "a child of the killed script survived");
}

/// Output is an export and part of errors; nothing is printed while a command runs.
#[test]
fn exe_08_output_is_never_streamed() {
    let host = MemoryHost::new();
    block("task").set("apply", "echo hi").action("run").visit(&host.act()).expect("it runs");
    block("query").set("query", "echo hi").visit(&host.act()).expect("it runs");
    assert_eq!(host.said(), []);
}

/// A `log` is never a change or a difference.
#[test]
fn fmt_08_log_never_changes_and_has_nothing_to_compare() {
    let host = MemoryHost::new();
    let visit = block("log").label("danger").visit(&host.act()).expect("it logs");
    assert!(!visit.changed);
    assert!(host.writes().is_empty());
}
