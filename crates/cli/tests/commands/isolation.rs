//! Commands inherit neither the terminal nor the open files of the shell that started Uphold.

use std::process::{Command, Stdio};

use uphold_testbed::isolate;

use super::confirmation::terminal;
use super::sandbox::Sandbox;

/// A script that prints whether it can open a controlling terminal.
const PROBE: &str = "if (exec 3<>/dev/tty) 2>/dev/null; then echo terminal; else echo none; fi";

/// Runs `arguments` with a controlling terminal, like an interactive shell.
fn in_terminal(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let (_keyboard, screen) = terminal();
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait"]).args(arguments).stdin(screen).stderr(Stdio::piped());
    let output = isolate(&mut command, &sandbox.path("")).output().expect("setsid runs");
    String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn no_command_can_open_the_terminal() {
    let site = format!(
        "query \"q\" {{\n  query = {PROBE:?}\n}}\n\
         task \"t\" {{\n  check = \"test -e task\"\n  apply = \"({PROBE}) > task\"\n}}\n\
         log \"l\" {{\n  message = \"query: ${{query.q.value}}\"\n}}\n"
    );
    let sandbox = Sandbox::with(site);
    assert_eq!(in_terminal(&sandbox, &["sh", "-c", PROBE]), "terminal\n", "the test itself has one");
    let shown = in_terminal(&sandbox, &[env!("CARGO_BIN_EXE_uphold"), "apply"]);
    assert!(shown.contains("query: none"), "{shown}");
    assert_eq!(sandbox.read("task"), "none\n", "{shown}");
}

/// The configuration itself may come from such a descriptor.
#[test]
fn no_command_can_read_a_file_that_the_caller_left_open() {
    let sandbox = Sandbox::new();
    sandbox.write("private", "hunter2");
    sandbox.write(
        "site.hcl",
        "query \"q\" {\n  query = \"cat <&7 || true; ls /proc/self/fd\"\n}\n\
         log \"l\" {\n  message = \"got ${jsonencode(query.q.value)}\"\n}\n",
    );
    let binary = env!("CARGO_BIN_EXE_uphold");
    let script = format!("exec 7<private 8<private; exec {binary} apply /dev/fd/9 9<site.hcl");
    let output = isolate(Command::new("sh").args(["-c", &script]), &sandbox.path("")).output();
    let ran = sandbox.ran(&output.expect("a shell"));
    // The fourth descriptor is the directory that `ls` reads.
    assert!(ran.stdout.contains(r#"got "0\n1\n2\n3""#), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
