//! Tests that need their own process.

use std::process::{Command, ExitStatus, Output};

use super::scene::say;

/// Set to the name of the test, below `watch`, in its own process.
const ALONE: &str = "UPHOLD_TEST_ALONE";

/// Runs the test in its own process, in which no other test watches. The test calls this itself.
pub(crate) fn alone(test: &str, body: impl FnOnce()) {
    match is_alone(test) {
        true => body(),
        false => passes(&once_more(test, Command::new(this_program())).output().unwrap()),
    }
}

/// The same in its own namespaces, after a script prepared them.
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
        return say(&format!("SKIPPED {test}: these namespaces are not supported here: {namespaces:?}"));
    }
    let mut command = unshare();
    command.args(["sh", "-c", &format!("{script} && exec \"$@\""), "sh"]).arg(this_program());
    passes(&once_more(test, command).output().unwrap());
}

/// Whether this process runs only this test.
pub(crate) fn is_alone(test: &str) -> bool {
    std::env::var(ALONE).is_ok_and(|name| name == test)
}

/// A command that runs the same test in its own process.
pub(crate) fn once_more(test: &str, mut command: Command) -> Command {
    command.args(["--exact", &format!("watch::{test}"), "--nocapture", "--test-threads=1"]).env(ALONE, test);
    command
}

pub(crate) fn this_program() -> std::path::PathBuf {
    std::env::current_exe().unwrap()
}

/// Checks that the test ran and passed, and prints its measurements.
#[track_caller]
fn passes(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{complaint}");
    complaint.lines().filter(|line| line.starts_with("MEASURED")).for_each(say);
}
