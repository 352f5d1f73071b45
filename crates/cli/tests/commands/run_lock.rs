//! One run at a time changes a machine.

use std::fmt::Write as _;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::sandbox::{Ran, Sandbox};

const SLOW: &str = "task \"slow\" {\n  check = \"test -e done\"\n  apply = \"touch begun; until test -e go; do sleep 0.05; done; touch done\"\n}\n";

fn started(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn await_file(sandbox: &Sandbox, name: &str) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !sandbox.path(name).exists() {
        assert!(Instant::now() < limit, "there is no file `{name}`");
        sleep(Duration::from_millis(10));
    }
}

fn ended(sandbox: &Sandbox, child: Child) -> Ran {
    sandbox.ran(&child.wait_with_output().expect("it ends"))
}

/// A run that holds the lock until the file `go` exists.
fn holding(sandbox: &Sandbox) -> Child {
    let child = started(sandbox, &["apply", "site.hcl"]);
    await_file(sandbox, "begun");
    child
}

fn release(sandbox: &Sandbox, holder: Child) {
    sandbox.write("go", "");
    assert_eq!(ended(sandbox, holder).code, Some(0));
}

/// Each of two configurations adds lines to one file.
#[test]
fn two_applies_at_once_lose_no_line() {
    let sandbox = Sandbox::new();
    sandbox.write("lines", "");
    for side in ["a", "b"] {
        let mut text = String::new();
        for number in 0..200 {
            let file = sandbox.path("lines").display().to_string();
            let _ = writeln!(
                text,
                "line \"{side}{number}\" {{\n  file = \"{file}\"\n  line = \"{side} {number}\"\n}}"
            );
        }
        sandbox.write(&format!("{side}.hcl"), text);
    }
    let both = ["a.hcl", "b.hcl"].map(|file| started(&sandbox, &["apply", file]));
    for child in both {
        let ran = ended(&sandbox, child);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let lines = sandbox.read("lines");
    assert_eq!(lines.lines().count(), 400);
    for side in ["a", "b"] {
        assert!((0..200).all(|number| lines.lines().any(|line| line == format!("{side} {number}"))));
    }
}

#[test]
fn a_second_run_waits_and_names_the_first() {
    let sandbox = Sandbox::with(SLOW);
    let first = holding(&sandbox);
    let pid = first.id();
    let second = started(&sandbox, &["apply", "site.hcl"]);
    sleep(Duration::from_millis(300));
    release(&sandbox, first);
    let second = ended(&sandbox, second);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    let waiting = format!("waiting for another run: uphold apply FOLDER/site.hcl (pid {pid}, ");
    assert!(second.stderr.starts_with(&waiting), "{}", second.stderr);
}

#[test]
fn the_wait_has_a_limit() {
    let sandbox = Sandbox::with(SLOW);
    let first = holding(&sandbox);
    let refused = sandbox.run(&["apply", "site.hcl", "--lock-timeout", "0s"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.starts_with("error: another run holds the lock: uphold apply"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("hint: wait until it has ended"), "{}", refused.stderr);
    assert_eq!(sandbox.run(&["plan", "site.hcl"]).code, Some(2), "a plan needs no lock");
    assert_eq!(sandbox.run(&["apply", "--audit", "site.hcl"]).code, Some(2), "an audit needs no lock");
    assert_eq!(sandbox.run(&["history"]).code, Some(0), "reading needs no lock");
    for command in [&["undo", "--yes"][..], &["restore", "--yes", "/etc/motd"]] {
        let refused = sandbox.run(&[command, &["--lock-timeout", "0s"]].concat());
        assert!(refused.stderr.starts_with("error: another run holds the lock: "), "{}", refused.stderr);
    }
    release(&sandbox, first);
}

/// The kernel releases the lock of a killed process.
#[test]
fn a_killed_run_leaves_no_lock() {
    let sandbox = Sandbox::with(SLOW);
    let mut first = holding(&sandbox);
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    sandbox.write("go", "");
    let second = sandbox.run(&["apply", "site.hcl", "--lock-timeout", "0s"]);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
}

#[test]
fn a_signal_ends_the_wait() {
    let sandbox = Sandbox::with(SLOW);
    let first = holding(&sandbox);
    let second = started(&sandbox, &["apply", "site.hcl"]);
    sleep(Duration::from_millis(300));
    let kill = std::process::Command::new("kill").args(["-INT", &second.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let second = ended(&sandbox, second);
    assert_eq!(second.code, Some(1), "{}", second.stdout);
    assert!(second.stderr.contains("interrupted while waiting for another run"), "{}", second.stderr);
    release(&sandbox, first);
}

/// A watch never ends by itself, so nothing waits for it.
#[test]
fn an_apply_beside_a_watch_says_what_to_do() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("a").display().to_string();
    sandbox.write("site.hcl", format!("file \"a\" {{\n  path    = \"{file}\"\n  content = \"\"\n}}\n"));
    let watch = started(&sandbox, &["watch", "--socket", "none", "--plain", "site.hcl"]);
    await_file(&sandbox, "a");
    let refused = sandbox.run(&["apply", "site.hcl"]);
    assert_eq!(refused.code, Some(1));
    let expected =
        format!("error: a watch manages this machine: uphold watch FOLDER/site.hcl (pid {}, ", watch.id());
    assert!(refused.stderr.starts_with(&expected), "{}", refused.stderr);
    assert!(refused.stderr.contains(&format!("stop it first: kill {}", watch.id())), "{}", refused.stderr);
    drop(sandbox.run(&["pause", "file.a"]));
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).stderr, refused.stderr, "only a part is paused");
    drop(sandbox.run(&["pause"]));
    let paused = sandbox.run(&["apply", "site.hcl"]);
    assert!(
        paused.stderr.starts_with("error: a watch manages this machine, and is paused until "),
        "{}",
        paused.stderr
    );
    let hint = format!(
        "hint: to let it go on: uphold resume; to change the machine by yourself, stop it first: kill {}",
        watch.id()
    );
    assert!(paused.stderr.contains(&hint), "{}", paused.stderr);
    drop(sandbox.run(&["resume"]));
    let second = sandbox.run(&["watch", "--socket", "none", "--plain", "site.hcl"]);
    assert!(second.stderr.contains("a watch manages this machine"), "{}", second.stderr);
    let kill = std::process::Command::new("kill").arg(watch.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    assert_eq!(ended(&sandbox, watch).code, Some(0));
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).code, Some(0));
}

/// It would wait for its own end.
#[test]
fn a_run_that_a_task_starts_is_refused() {
    let binary = env!("CARGO_BIN_EXE_uphold");
    let sandbox = Sandbox::new();
    sandbox.write("inner.hcl", "log \"inner\" {}\n");
    sandbox.write(
        "site.hcl",
        format!(
            "task \"inner\" {{\n  apply  = \"{binary} apply inner.hcl 2> refused\"\n  action = \"run\"\n}}\n"
        ),
    );
    let ran = sandbox.run(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let refused = sandbox.read("refused");
    assert!(
        refused.starts_with("error: this command was started by a run that holds the lock: "),
        "{refused}"
    );
}

/// Each command reads all pauses, and writes them with its own.
#[test]
fn pauses_at_once_lose_no_pause() {
    let sandbox = Sandbox::new();
    let all: Vec<Child> =
        (0..12).map(|number| started(&sandbox, &["pause", &format!("file.a{number}")])).collect();
    for child in all {
        assert_eq!(ended(&sandbox, child).code, Some(0));
    }
    let listed = sandbox.run(&["pause", "--list"]);
    assert_eq!(listed.stdout.lines().count(), 12, "{}", listed.stdout);
}
