//! `uphold completions` in real shells.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::binary::uphold;

#[test]
fn bash_accepts_its_script() {
    let script = uphold(["completions", "bash"]);
    assert_eq!((script.code, script.err.as_str()), (0, ""));
    let bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut bash = bash.expect("bash is installed");
    let mut stdin = bash.stdin.take().expect("it is piped");
    stdin.write_all(script.out.as_bytes()).expect("bash reads it all");
    drop(stdin);
    let checked = bash.wait_with_output().expect("bash ends");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = uphold(["completions", shell]).out;
        for command in [
            "init",
            "plan",
            "apply",
            "show",
            "validate",
            "fmt",
            "console",
            "graph",
            "read",
            "explain",
            "schema",
            "lsp",
            "completions",
        ] {
            assert!(script.contains(command), "{command} for {shell}");
        }
    }
}

#[test]
fn the_help_explains_the_installation() {
    let help = uphold(["completions", "--help"]).out;
    assert!(help.contains("~/.config/fish/completions/uphold.fish"), "{help}");
}

#[test]
fn a_closed_pipe_causes_no_panic() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_uphold"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(run.stdout.take());
    let ended = run.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert!(ended.status.code().is_some_and(|code| code < 2), "{}", ended.status);
}
