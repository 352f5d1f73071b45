//! `uphold fmt`: formats files.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use super::sandbox::{Ran, Sandbox};

const ODD: &str = "file \"/x\" {\nmode=\"0644\" # for all\ncontent  =  \"y\"\n}";
const EVEN: &str = "file \"/x\" {\n  mode    = \"0644\" # for all\n  content = \"y\"\n}\n";
const UNCLOSED: &str = "error[E0105]: unclosed bracket
 --> broken.hcl:1:9
  |
1 | log \"a\" {
  |         ^ the closing bracket is missing
  |
  = help: close it

";

/// Runs the command with `text` as standard input.
fn piped(sandbox: &Sandbox, arguments: &[&str], text: &[u8]) -> Ran {
    let mut command = sandbox.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("the command starts");
    running.stdin.take().expect("it is piped").write_all(text).expect("the command reads it");
    sandbox.ran(&running.wait_with_output().expect("the command ends"))
}

#[test]
fn unformatted_files_are_rewritten_and_listed() {
    let sandbox = Sandbox::with(ODD);
    sandbox.write("even.hcl", EVEN);
    sandbox.write("other.txt", ODD);
    sandbox.write(".hidden.hcl", ODD);
    fs::set_permissions(sandbox.path("site.hcl"), fs::Permissions::from_mode(0o640)).expect("ours");
    let before = fs::metadata(sandbox.path("even.hcl")).and_then(|about| about.modified()).expect("a time");
    sandbox.run(&["fmt"]).check(0, "site.hcl\n", "");
    assert_eq!(sandbox.read("site.hcl"), EVEN);
    let mode = fs::metadata(sandbox.path("site.hcl")).expect("it exists").permissions().mode();
    assert_eq!(mode & 0o7777, 0o640, "the mode stays");
    let after = fs::metadata(sandbox.path("even.hcl")).and_then(|about| about.modified()).expect("a time");
    assert_eq!(before, after, "what is formatted is not written");
    assert_eq!((sandbox.read("other.txt"), sandbox.read(".hidden.hcl")), (ODD.to_owned(), ODD.to_owned()));
    sandbox.run(&["fmt"]).check(0, "", "");
    sandbox.run(&["fmt", "other.txt", "-q"]).check(0, "", "");
    assert_eq!(sandbox.read("other.txt"), EVEN);
}

#[test]
fn a_check_writes_nothing_and_fails() {
    let sandbox = Sandbox::with(ODD);
    sandbox.run(&["fmt", "--check"]).check(1, "site.hcl\n", "");
    assert_eq!(sandbox.read("site.hcl"), ODD);
    sandbox.write("site.hcl", EVEN);
    sandbox.run(&["fmt", "--check"]).check(0, "", "");
}

#[test]
fn patch_accepts_the_diff() {
    let sandbox = Sandbox::with(ODD);
    let ran = sandbox.run(&["fmt", "--check", "--diff", "site.hcl"]);
    let expected = "\
--- site.hcl
+++ site.hcl
@@ -1,4 +1,4 @@
 file \"/x\" {
-mode=\"0644\" # for all
-content  =  \"y\"
-}
\\ No newline at end of file
+  mode    = \"0644\" # for all
+  content = \"y\"
+}
";
    ran.check(1, expected, "");
    sandbox.write("change.diff", &ran.stdout);
    let patched = Command::new("patch").args(["-i", "change.diff"]).current_dir(sandbox.path("")).output();
    if patched.is_ok_and(|patched| patched.status.success()) {
        assert_eq!(sandbox.read("site.hcl"), EVEN);
        sandbox.write("site.hcl", ODD);
    }
    sandbox.run(&["fmt", "--diff"]).check(0, expected, "");
    assert_eq!(sandbox.read("site.hcl"), EVEN);
    sandbox.write("site.hcl", ODD);
    let coloured = sandbox.run(&["fmt", "--diff", "--color", "always"]).stdout;
    assert!(coloured.contains("\u{1b}[32m+  content = \"y\"\u{1b}[0m\n"), "{coloured:?}");
}

#[test]
fn an_unformattable_file_is_reported_and_the_others_are_formatted() {
    let sandbox = Sandbox::with(ODD);
    sandbox.write("broken.hcl", "log \"a\" {\n");
    sandbox.write("bytes.hcl", b"a = 1\n\xff");
    let bytes = "error: bytes.hcl:2: this line is not UTF-8\n  hint: save the file as UTF-8\n";
    sandbox.run(&["fmt"]).check(1, "site.hcl\n", &format!("{UNCLOSED}{bytes}"));
    assert_eq!(
        (sandbox.read("broken.hcl"), sandbox.read("site.hcl")),
        ("log \"a\" {\n".to_owned(), EVEN.to_owned())
    );
}

#[test]
fn incomplete_text_is_formatted() {
    let sandbox = Sandbox::with("log \"a\" {\nmessage=\n}\n");
    sandbox.run(&["fmt"]).check(0, "site.hcl\n", "");
    assert_eq!(sandbox.read("site.hcl"), "log \"a\" {\n  message =\n}\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let sandbox = Sandbox::new();
    piped(&sandbox, &["fmt", "-"], ODD.as_bytes()).check(0, EVEN, "");
    piped(&sandbox, &["fmt", "-"], EVEN.as_bytes()).check(0, EVEN, "");
    piped(&sandbox, &["fmt", "-", "--check"], ODD.as_bytes()).check(1, "-\n", "");
    piped(&sandbox, &["fmt", "-", "--check"], EVEN.as_bytes()).check(0, "", "");
    piped(&sandbox, &["fmt", "-", "--check", "--diff"], b"a=1\n").check(
        1,
        "--- -\n+++ -\n@@ -1 +1 @@\n-a=1\n+a = 1\n",
        "",
    );
    piped(&sandbox, &["fmt", "-"], b"log \"a\" {\n").check(1, "", &UNCLOSED.replace("broken.hcl", "-"));
}

#[test]
fn directories_are_entered_only_with_the_flag_and_links_never() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("conf/deep")).expect("a folder");
    fs::create_dir(sandbox.path("conf/.git")).expect("a folder");
    for name in ["conf/b.hcl", "conf/deep/a.hcl", "conf/.git/x.hcl", "elsewhere.hcl"] {
        sandbox.write(name, ODD);
    }
    symlink("../elsewhere.hcl", sandbox.path("conf/link.hcl")).expect("a link");
    symlink("..", sandbox.path("conf/up")).expect("a link");
    sandbox.run(&["fmt", "conf", "--check"]).check(1, "conf/b.hcl\n", "");
    sandbox.run(&["fmt", "conf", "-r"]).check(0, "conf/b.hcl\nconf/deep/a.hcl\n", "");
    assert_eq!(
        (sandbox.read("elsewhere.hcl"), sandbox.read("conf/.git/x.hcl")),
        (ODD.to_owned(), ODD.to_owned())
    );
    let link = "error: conf/link.hcl is a symbolic link, which is not followed\n  hint: name its target: \
                ../elsewhere.hcl\n";
    sandbox.run(&["fmt", "conf/link.hcl"]).check(1, "", link);
}

#[test]
fn a_missing_file_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("odd.hcl", ODD);
    let none = "error: none does not exist\n  \
                hint: name a file, a directory, or - for standard input\n";
    sandbox.run(&["fmt", "none", "odd.hcl"]).check(1, "odd.hcl\n", none);
    let empty = "error: no *.hcl file in root\n  \
                 hint: name a file or another directory, or search subdirectories with --recursive\n";
    sandbox.run(&["fmt", "root"]).check(1, "", empty);
    let device =
        "error: /dev/null is a character device, not a regular file\n  hint: `-` is standard input\n";
    sandbox.run(&["fmt", "/dev/null"]).check(1, "", device);
}
