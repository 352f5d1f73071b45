//! Kinds that wait, in real runs: on ports, files and scripts.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::binary::Run;
use tempfile::TempDir;
use uphold_testbed::own_state;

/// The condition becomes true after several checks.
const LATER: Duration = Duration::from_millis(300);

/// A configuration in which `DIR` stands for a temporary directory.
struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().expect("a directory for the test");
        let path = dir.path().to_str().expect("a plain path");
        std::fs::write(dir.path().join("site.hcl"), text.replace("DIR", path)).expect("a file for the test");
        Self { dir }
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args(arguments).arg(self.at("site.hcl"));
        Run::of(own_state(&mut command, self.dir.path()))
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }
}

#[track_caller]
fn assert_applied(run: &Run, path: &Path, text: &str) {
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(std::fs::read_to_string(path).expect("it was written"), text);
}

#[test]
fn dependents_of_a_port_run_when_it_is_open() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let sandbox = Sandbox::new(&format!(
        r#"
wait_port "web" {{
  port  = {port}
  host  = "127.0.0.1"
  every = "10ms"
}}
file "DIR/done" {{
  content    = "open"
  depends_on = [wait_port.web]
}}
"#
    ));
    let opener = thread::spawn(move || {
        thread::sleep(LATER);
        TcpListener::bind(("127.0.0.1", port)).expect("the port is still free")
    });
    assert_applied(&sandbox.run(&["apply"]), &sandbox.at("done"), "open");
    opener.join().expect("it was opened");
}

/// One job is enough, because a waiting resource occupies no worker.
#[test]
fn a_wait_can_be_satisfied_by_the_same_run() {
    let sandbox = Sandbox::new(
        r#"
wait_file "DIR/made" {
  content = "^ready"
  every   = "10ms"
}
file "DIR/done" {
  content    = "made"
  depends_on = [wait_file["DIR/made"]]
}
task "make" {
  creates = "DIR/other"
  apply   = "(sleep 0.3; echo ready > DIR/made) > /dev/null 2>&1 & touch DIR/other"
}
"#,
    );
    let run = sandbox.run(&["apply", "--jobs", "1"]);
    assert_applied(&run, &sandbox.at("done"), "made");
}

/// The wait depends on the task that creates the file.
#[test]
fn a_wait_comes_after_the_task_that_creates_its_file() {
    let sandbox = Sandbox::new(
        r#"
wait_file "DIR/made" {
  content = "^ready"
  every   = "10m"
  timeout = "20m"
}
file "DIR/made" {
  content = "ready\n"
}
"#,
    );
    assert_applied(&sandbox.run(&["apply"]), &sandbox.at("made"), "ready\n");
}

#[test]
fn the_result_of_the_third_check_is_exported() {
    let sandbox = Sandbox::new(
        r#"
wait_query "count" {
  query   = "echo x >> DIR/looks; wc -l < DIR/looks"
  matches = "^ *3$"
  every   = "10ms"
}
file "DIR/done" {
  content = trimspace(wait_query.count.value)
}
"#,
    );
    assert_applied(&sandbox.run(&["apply"]), &sandbox.at("done"), "3");
}

#[test]
fn a_wait_times_out() {
    let sandbox = Sandbox::new(
        r#"
wait_file "DIR/never" {
  every   = "10ms"
  timeout = "200ms"
}
file "DIR/done" {
  depends_on = [wait_file["DIR/never"]]
}
"#,
    );
    let started = Instant::now();
    let run = sandbox.run(&["apply"]);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_ne!(run.code, 0, "{}", run.out);
    let expected = format!("not ready after 200ms: {} does not exist yet", sandbox.at("never").display());
    assert!(run.err.contains(&expected), "{}{}", run.out, run.err);
    assert!(!sandbox.at("done").exists());
}

/// A plan checks once and shows the condition that it would wait for.
#[test]
fn a_plan_does_not_wait() {
    let sandbox = Sandbox::new(
        r#"
wait_file "DIR/never" {}
file "DIR/done" {
  depends_on = [wait_file["DIR/never"]]
}
"#,
    );
    let started = Instant::now();
    let run = sandbox.run(&["plan"]);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(
        run.out.contains("may change") && run.out.contains("never does not exist yet"),
        "{}{}",
        run.out,
        run.err
    );
}

/// `timeout` ends scripts of every kind.
#[test]
fn a_script_that_takes_too_long_is_killed() {
    let sandbox = Sandbox::new(
        r#"
task "slow" {
  creates = "DIR/slow"
  apply   = "sleep 60; touch DIR/slow"
  timeout = "100ms"
}
query "slow" {
  query   = "sleep 60"
  timeout = "100ms"
}
"#,
    );
    let started = Instant::now();
    let run = sandbox.run(&["apply"]);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_ne!(run.code, 0);
    for script in ["`apply`", "`query`"] {
        let expected = format!("{script} timed out and was killed");
        assert!(run.out.contains(&expected) || run.err.contains(&expected), "{}{}", run.out, run.err);
    }
}
