//! `uphold read` on real files.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::binary::{Run, uphold};
use tempfile::TempDir;

/// A directory with one file.
fn root() -> TempDir {
    let root = tempfile::tempdir().expect("a directory for the test");
    let file = root.path().join("motd");
    std::fs::write(&file, "hello\n").expect("a file for the test");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("its mode");
    root
}

fn read(root: &Path, arguments: &[&str]) -> Run {
    let root = root.to_str().expect("a name in UTF-8");
    uphold(["read", "--root", root].iter().chain(arguments))
}

#[test]
fn one_property_is_the_bare_value() {
    let root = root();
    let check = |arguments: &[&str], expected: &str| {
        let run = read(root.path(), arguments);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""), "{arguments:?}");
    };
    check(&["file", "/motd", "mode"], "0640\n");
    check(&["file", "/motd", "content"], "hello\n");
    check(&["file", "/motd", "size"], "6\n");
    check(&["file", "/motd", "path"], "/motd\n");
    check(&["file", "/motd", "mode", "--json"], "\"0640\"\n");
    check(&["line", "greeting", "file=/motd", "line=hello", "line"], "hello\n");
}

#[test]
fn without_a_property_all_are_printed_in_a_column() {
    let root = root();
    let run = read(root.path(), &["file", "/motd"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[..3],
        ["path    = \"/motd\"", "content = \"hello\\n\"", "mode    = \"0640\""],
        "{}",
        run.out
    );
    assert!(!run.out.contains("backups"), "a setting is nowhere on the machine: {}", run.out);
    let json: serde_json::Value =
        serde_json::from_str(&read(root.path(), &["file", "/motd", "--json"]).out).expect("one object");
    assert_eq!((&json["kind"], &json["properties"]["mode"]), (&"file".into(), &"0640".into()));
}

#[test]
fn an_unreadable_resource_is_an_error_with_a_hint() {
    let root = root();
    std::fs::write(root.path().join("binary"), [0xff, 0xfe]).expect("a file for the test");
    let check = |arguments: &[&str], message: &str| {
        let run = read(root.path(), arguments);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{arguments:?}");
        assert!(run.err.contains(message), "{message} in {}", run.err);
    };
    check(&["file", "/x"], "file `/x` does not exist");
    check(&["fiel", "/motd"], "did you mean `file`?");
    check(&["file", "/motd", "mdoe"], "did you mean `mode`?");
    check(&["file", "/motd", "bakups=1"], "did you mean `backups`?");
    check(&["file", "/motd", "backups=many"], "`backups=many` is not a valid value");
    check(&["file", "/motd", "backups"], "is a setting");
    check(&["file", "/motd", "mode", "owner"], "unexpected second property `owner`");
    check(&["file", "motd"], "must be an absolute path");
    check(&["line", "greeting"], "add `file=…` after the name");
    check(&["file", "/binary", "content"], "2 bytes that are not UTF-8");
}

#[test]
fn nothing_is_written() {
    let root = root();
    let seen = || {
        let entries = std::fs::read_dir(root.path()).expect("the directory exists");
        let facts = entries.map(|entry| {
            let entry = entry.expect("it can be read");
            let facts = entry.metadata().expect("it exists");
            (entry.path(), facts.permissions().mode(), facts.modified().expect("Linux knows"))
        });
        facts.collect::<Vec<_>>()
    };
    let before = seen();
    assert_eq!(read(root.path(), &["file", "/motd", "backups=3", "force=true"]).code, 0);
    assert_eq!(read(root.path(), &["file", "/missing", "content=x"]).code, 1);
    assert_eq!(seen(), before);
}
