//! mgmt's timelines of watched resources (TestResources1): start, check, tamper, check again.

use super::watched::Watched;

const HELLO: &str = "hello, world\n";

/// "simple file".
#[test]
fn simple_file() {
    let watch = Watched::new(r#"file "DIR/whatever" { content = "hello, world\n" }"#);
    let is_right = |watch: &Watched| watch.read("whatever").as_deref() == Some(HELLO);
    watch.repairs("overwritten", |watch| watch.write("whatever", "this is whatever\n"), is_right);
}

/// "simple exec": woken by its watch command.
#[test]
fn simple_exec() {
    let site = r#"task "x1" {
        check         = "test \"$(cat DIR/whatever)\" = 'hello, world'"
        apply         = "echo 'hello, world' > DIR/whatever"
        watch_command = "tail -n 0 -F DIR/whatever"
    }"#;
    let watch = Watched::after(site, |sandbox| sandbox.write("whatever", "starting...\n"));
    let is_right = |watch: &Watched| watch.read("whatever").as_deref() == Some(HELLO);
    watch.repairs(
        "overwritten",
        |watch| watch.write("whatever", "this is stuff, and a line of it!\n"),
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
    let watch = Watched::new(site);
    let is_right = |watch: &Watched| watch.read("whatever").as_deref() == Some(HELLO);
    watch.repairs("overwritten", |watch| watch.write("whatever", "this is stuff\n"), is_right);
}

/// "touch file": created empty.
#[test]
fn touch_file() {
    let watch = Watched::new(r#"file "DIR/emptyfile" {}"#);
    assert_eq!(watch.read("emptyfile").as_deref(), Some(""));
    assert_eq!(watch.visited(), [""; 0]);
}

/// "existing file": left unchanged, also after a write.
#[test]
fn existing_file() {
    let watch = Watched::after(r#"file "DIR/existing" {}"#, |sandbox| {
        sandbox.write("existing", "some existing text\n");
    });
    assert_eq!(watch.read("existing").as_deref(), Some("some existing text\n"));
    watch.write("existing", "other text\n");
    watch.until_idle();
    assert_eq!(watch.read("existing").as_deref(), Some("other text\n"));
}

/// "uid test file": the same owner by name or by number.
#[test]
fn uid_test_file() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let site = "file \"DIR/a\" {\n content = HELLO\n owner = \"root\"\n}\nfile \"DIR/b\" {\n content = HELLO\n owner = 0\n}";
    let watch = Watched::new(&site.replace("HELLO", r#""hello, world\n""#));
    for name in ["a", "b"] {
        use std::os::unix::fs::{MetadataExt, chown};
        let is_right = |watch: &Watched| watch.at(name).metadata().is_ok_and(|found| found.uid() == 0);
        watch.repairs(name, |watch| chown(watch.at(name), Some(1), None).expect("we are root"), is_right);
        assert_eq!(watch.read(name).as_deref(), Some(HELLO));
    }
}
