//! `apply --ask` applies exactly the plan that it showed.

use std::fs::File;
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::confirmation::{asked, terminal};
use super::sandbox::Sandbox;
use super::saved_plan::plan;

const SITE: &str = "file \"/a\" { content = \"x\" }\nfile \"/b\" { content = \"x\" }\n";

#[test]
fn a_saved_plan_is_shown_and_confirmed() {
    let sandbox = Sandbox::with(SITE);
    let shown = plan(&sandbox, &[]);
    let question = "This plan was made just now.\n\nApply these changes? [y/N] ";
    asked(&sandbox, "n\n", &["plan"]).check(2, &shown, &format!("{question}Nothing was changed.\n"));
    assert!(sandbox.machine().is_empty());
    let ran = asked(&sandbox, "y\n", &["plan"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), question));
    assert!(ran.stdout.starts_with(&shown), "{}", ran.stdout);
    assert_eq!(sandbox.machine().len(), 2);
    plan(&sandbox, &[]);
    assert_eq!(asked(&sandbox, "", &["plan"]).stderr, "This plan was made just now.\n");
}

#[test]
fn a_resource_changed_during_the_question_is_not_overwritten() {
    let sandbox = Sandbox::with(SITE);
    let (mut keyboard, screen) = terminal();
    let mut command = sandbox.command(&["apply", "--ask", "--root", "root", "site.hcl"]);
    let printed = File::create(sandbox.path("said")).expect("a file");
    let mut child = command.stdin(screen).stdout(Stdio::null()).stderr(printed).spawn().expect("it starts");
    while !sandbox.read("said").ends_with("[y/N] ") {
        sleep(Duration::from_millis(10));
    }
    sandbox.write("root/b", "theirs");
    keyboard.write_all(b"y\n").expect("the terminal takes input");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert_eq!((sandbox.read("root/a"), sandbox.read("root/b")), ("x".to_owned(), "theirs".to_owned()));
    let printed = sandbox.read("said");
    assert!(printed.contains("it was to be created, but exists now: content \"theirs\""), "{printed}");
}
