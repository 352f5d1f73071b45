//! mgmt's timelines of single resources that are watched (TestResources1): start, look, tamper, look again.

use crate::held::Held;

const HELLO: &str = "hello, world\n";

/// "simple file".
#[test]
fn simple_file() {
    let held = Held::new(r#"file "DIR/whatever" { content = "hello, world\n" }"#);
    let is_right = |held: &Held| held.read("whatever").as_deref() == Some(HELLO);
    held.repairs("overwritten", |held| held.write("whatever", "this is whatever\n"), is_right);
}

/// "simple exec": a command that reports is what wakes it.
#[test]
fn simple_exec() {
    let site = r#"task "x1" {
        check         = "test \"$(cat DIR/whatever)\" = 'hello, world'"
        apply         = "echo 'hello, world' > DIR/whatever"
        watch_command = "tail -n 0 -F DIR/whatever"
    }"#;
    let held = Held::after(site, |ground| ground.write("whatever", "starting...\n"));
    let is_right = |held: &Held| held.read("whatever").as_deref() == Some(HELLO);
    held.repairs(
        "overwritten",
        |held| held.write("whatever", "this is stuff, and a line of it!\n"),
        is_right,
    );
}

/// "exec with env".
#[test]
fn exec_with_env() {
    let site = r#"task "x1" {
        check       = "test \"$(cat DIR/whatever)\" = \"$GREETING, world\""
        apply       = "echo \"$GREETING, world\" > DIR/whatever"
        env         = { GREETING = "hello" }
        watch_paths = ["DIR/whatever"]
    }"#;
    let held = Held::new(site);
    let is_right = |held: &Held| held.read("whatever").as_deref() == Some(HELLO);
    held.repairs("overwritten", |held| held.write("whatever", "this is stuff\n"), is_right);
}

/// "touch file": made, and empty.
#[test]
fn touch_file() {
    let held = Held::new(r#"file "DIR/emptyfile" {}"#);
    assert_eq!(held.read("emptyfile").as_deref(), Some(""));
    assert_eq!(held.visited(), [""; 0]);
}

/// "existing file": left as it is, and so is what somebody writes into it.
#[test]
fn existing_file() {
    let held =
        Held::after(r#"file "DIR/existing" {}"#, |ground| ground.write("existing", "some existing text\n"));
    assert_eq!(held.read("existing").as_deref(), Some("some existing text\n"));
    held.write("existing", "other text\n");
    held.until_calm();
    assert_eq!(held.read("existing").as_deref(), Some("other text\n"));
}

/// "uid test file": by name or by number, it is the same owner.
#[test]
fn uid_test_file() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let site = "file \"DIR/a\" {\n content = HELLO\n owner = \"root\"\n}\nfile \"DIR/b\" {\n content = HELLO\n owner = 0\n}";
    let held = Held::new(&site.replace("HELLO", r#""hello, world\n""#));
    for name in ["a", "b"] {
        use std::os::unix::fs::{MetadataExt, chown};
        let is_right = |held: &Held| held.at(name).metadata().is_ok_and(|found| found.uid() == 0);
        held.repairs(name, |held| chown(held.at(name), Some(1), None).expect("we are root"), is_right);
        assert_eq!(held.read(name).as_deref(), Some(HELLO));
    }
}
