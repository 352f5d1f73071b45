//! `apply --ask`: the confirmation at a terminal.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::sandbox::{Ran, Sandbox};

const SITE: &str = "file \"/a\" {\n  content = \"x\"\n}\n";

const PLAN: &str = "  + file[\"/a\"]   (create; ./site.hcl:1:1)
      content: \"x\"
      mode:    \"0644\" (default)

Plan: 1 to add, 0 to change, 0 to remove, 0 to run.
";

const QUESTION: &str = "\nApply these changes? [y/N] ";

/// A pseudo-terminal: the keyboard end, and the end for the command.
pub(crate) fn terminal() -> (File, File) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).expect("it is ours");
    unlockpt(&keyboard).expect("it opens");
    let name = ptsname(keyboard.as_fd(), Vec::new()).expect("it has a name");
    let name = name.to_str().expect("a path").to_owned();
    let screen = File::options().read(true).write(true).open(name).expect("it can be opened");
    (OwnedFd::into(keyboard), screen)
}

/// Runs `apply --ask` with this typed input.
pub(crate) fn asked(sandbox: &Sandbox, typed: &str, more: &[&str]) -> Ran {
    let (mut keyboard, screen) = terminal();
    let mut command = sandbox.command(&[&["apply", "--ask", "--root", "root", "--jobs", "1"], more].concat());
    keyboard.write_all(typed.as_bytes()).expect("the terminal takes input");
    sandbox.ran(&command.stdin(screen).output().expect("the command starts"))
}

#[test]
fn yes_applies_the_shown_plan() {
    for yes in ["y\n", "YES\n"] {
        let sandbox = Sandbox::with(SITE);
        let done = PLAN.replace("create;", "created;");
        let (lines, _) = done.split_once("\nPlan").expect("it ends so");
        let applied = format!(
            "{PLAN}{lines}\nApplied: 1 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped in TIME\n"
        );
        asked(&sandbox, yes, &["--report", "report.json"]).check(0, &applied, QUESTION);
        assert_eq!(sandbox.read("root/a"), "x");
        let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).expect("JSON");
        assert_eq!(
            (&report["run"]["mode"], &report["records"][0]["verdict"]),
            (&"apply".into(), &"changed".into())
        );
        assert_eq!(report["records"].as_array().map(Vec::len), Some(1), "the plan is not the run");
    }
}

#[test]
fn any_other_answer_changes_nothing() {
    for no in ["n\n", "\n", "yeah\n", "\u{4}"] {
        let sandbox = Sandbox::with(SITE);
        let line_end = if no == "\u{4}" { "\n" } else { "" };
        asked(&sandbox, no, &[]).check(2, PLAN, &format!("{QUESTION}{line_end}Nothing was changed.\n"));
        assert!(sandbox.machine().is_empty());
    }
}

#[test]
fn without_changes_there_is_no_question() {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply", "-q"]).code, Some(0));
    asked(&sandbox, "", &[]).check(0, "No changes. 1 resource is as declared.\n", "");
}

#[test]
fn an_invalid_configuration_is_not_asked_about() {
    let ran = asked(&Sandbox::with("fiel \"/a\" {}\n"), "", &[]);
    assert_eq!((ran.code, ran.stderr.contains("y/N")), (Some(1), false), "{}", ran.stderr);
    let failing = asked(&Sandbox::with("file \"/none/a\" {}\n"), "", &[]);
    assert_eq!((failing.code, failing.stderr.contains("y/N")), (Some(1), false), "{}", failing.stderr);
}

#[test]
fn asking_needs_a_terminal() {
    let sandbox = Sandbox::with(SITE);
    let output = sandbox.command(&["apply", "--ask", "--root", "root"]).stdin(Stdio::null()).output();
    sandbox.ran(&output.expect("the command starts")).check(
        1,
        "",
        "error: cannot ask: standard input is not a terminal\n  hint: run `uphold plan`, then apply without --ask\n",
    );
    assert!(sandbox.machine().is_empty());
    for flag in ["--json", "--quiet", "--audit"] {
        let ran = sandbox.rooted(&["apply", "--ask", flag]);
        assert!(ran.code == Some(1) && ran.stderr.contains("cannot be used with"), "{flag}: {}", ran.stderr);
    }
}

/// Ctrl-C at the question ends the command.
#[test]
fn a_signal_at_the_question_ends_it() {
    let sandbox = Sandbox::with(SITE);
    let (_keyboard, screen) = terminal();
    let mut command = sandbox.command(&["apply", "--ask", "--root", "root"]);
    let printed = File::create(sandbox.path("said")).expect("a file");
    let mut child = command.stdin(screen).stdout(Stdio::null()).stderr(printed).spawn().expect("it starts");
    while !sandbox.read("said").ends_with("[y/N] ") {
        sleep(Duration::from_millis(10));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let status = child.wait().expect("it ends");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
    assert!(sandbox.machine().is_empty());
}
