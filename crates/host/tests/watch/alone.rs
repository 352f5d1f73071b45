//! Tests that need a process of their own.

use std::process::{Command, ExitStatus, Output};

use crate::scene::say;

/// Set for the process of its own to the name of the test.
const ALONE: &str = "UPHOLD_TEST_ALONE";

/// Runs the test in a process in which nobody else watches. The test calls this itself.
pub(crate) fn alone(test: &str, body: impl FnOnce()) {
    match is_alone(test) {
        true => body(),
        false => passes(&once_more(test, Command::new(this_program())).output().unwrap()),
    }
}

/// The same in namespaces of its own, after a script made them ready.
pub(crate) fn alone_in_namespaces(test: &str, namespaces: &[&str], script: &str, body: impl FnOnce()) {
    if is_alone(test) {
        return body();
    }
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user"]).args(namespaces);
        command
    };
    if !unshare().arg("true").status().is_ok_and(|status: ExitStatus| status.success()) {
        return say(&format!("SKIPPED {test}: there are no such namespaces here: {namespaces:?}"));
    }
    let mut command = unshare();
    command.args(["sh", "-c", &format!("{script} && exec \"$@\""), "sh"]).arg(this_program());
    passes(&once_more(test, command).output().unwrap());
}

/// Whether this process runs nothing else.
pub(crate) fn is_alone(test: &str) -> bool {
    std::env::var(ALONE).is_ok_and(|name| name == test)
}

/// The same test once more, in a process of its own that is not started yet.
pub(crate) fn once_more(test: &str, mut command: Command) -> Command {
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(ALONE, test);
    command
}

pub(crate) fn this_program() -> std::path::PathBuf {
    std::env::current_exe().unwrap()
}

/// The test ran, and passed. What it measured is said.
#[track_caller]
fn passes(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{complaint}");
    complaint.lines().filter(|line| line.starts_with("MEASURED")).for_each(say);
}
