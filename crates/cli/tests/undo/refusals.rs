//! What is not undone is listed with the reason.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::machine::Machine;

#[test]
fn a_resource_that_was_changed_since_is_left() {
    let machine = Machine::new();
    machine.write("/a", "old\n");
    machine.write("/b", "old\n");
    machine.apply("file \"/a\" { content = \"new\\n\" }\nfile \"/b\" { content = \"new\\n\" }\n");
    machine.write("/a", "by hand\n");
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("Not undone:\n  file[\"/a\"]: changed since outside Uphold\n"), "{ran:#?}");
    assert_eq!((&*machine.read("/a"), &*machine.read("/b")), ("by hand\n", "old\n"));
}

/// The set-user-ID bit of another user's program must not come back on a file that root owns by now.
#[test]
fn a_set_id_bit_is_restored_for_the_same_owner_only() {
    let machine = Machine::new();
    machine.write("/a", "of a user");
    let path = machine.at("/a");
    if std::os::unix::fs::chown(&path, Some(65_534), Some(65_534)).is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: only root can give files away");
        return;
    }
    fs::set_permissions(&path, Permissions::from_mode(0o4755)).unwrap();
    let file =
        |owner: &str| format!("file \"/a\" {{\n  content = \"good\"\n  mode    = \"0644\"\n{owner}}}\n");
    machine.apply(&file(""));
    machine.apply(&file("  owner   = 0\n"));
    let ran = machine.undo(&["1"]);
    assert!(ran.stderr.contains("file[\"/a\"]: changed since by run 2\n"), "{ran:#?}");
    assert_eq!((&*machine.read("/a"), fs::metadata(&path).unwrap().mode() & 0o7777), ("good", 0o644));
    for run in ["2", "1"] {
        let ran = machine.undo(&[run]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
    let found = fs::metadata(&path).unwrap();
    assert_eq!((&*machine.read("/a"), found.mode() & 0o7777, found.uid()), ("of a user", 0o4755, 65_534));
}

#[test]
fn a_later_run_is_named() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    machine.apply("file \"/a\" { content = \"2\" }\n");
    let ran = machine.undo(&["1"]);
    assert!(ran.stderr.contains("file[\"/a\"]: changed since by run 2\n"), "{ran:#?}");
    assert_eq!((ran.code, &*machine.read("/a")), (Some(1), "2"));
}

/// The last change counts, property by property.
#[test]
fn a_change_by_hand_after_a_later_run_is_named() {
    let machine = Machine::new();
    machine.apply("file \"/a\" {\n  content = \"1\"\n  mode = \"0644\"\n}\n");
    machine.apply("file \"/a\" {\n  content = \"1\"\n  mode = \"0600\"\n}\n");
    let reason = |words: &str| {
        let ran = machine.undo(&["1"]);
        assert!(ran.stderr.contains(&format!("file[\"/a\"]: {words}\n")), "{ran:#?}");
    };
    reason("changed since by run 2");
    machine.write("/a", "by hand");
    reason("changed since by run 2, and then outside Uphold");
}

#[test]
fn a_changed_file_loses_only_the_edited_value() {
    let machine = Machine::new();
    machine.write("/k.ini", "[s]\nk = 1\n");
    machine.apply("ini \"k\" {\n  file = \"/k.ini\"\n  section = \"s\"\n  key = \"k\"\n  value = \"2\"\n}\n");
    let edited = machine.read("/k.ini");
    machine.write("/k.ini", format!("{edited}mine = 3\n"));
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(machine.read("/k.ini"), "[s]\nk = 1\nmine = 3\n");
}

#[test]
fn a_line_of_a_changed_file_is_left() {
    let machine = Machine::new();
    machine.write("/hosts", "a\n");
    machine.apply("line \"b\" {\n  file = \"/hosts\"\n  line = \"b\"\n}\n");
    machine.write("/hosts", "a\nb\nc\n");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("line.b: changed since outside Uphold\n"), "{ran:#?}");
    assert_eq!(machine.read("/hosts"), "a\nb\nc\n");
}

#[test]
fn contents_that_are_not_kept_are_named() {
    let machine = Machine::new();
    machine.directory("/d");
    machine.write("/d/f", "x");
    machine.apply("directory \"/d\" {\n  action = \"remove\"\n  recursive = true\n}\n");
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("directory[\"/d\"]: its content was removed with it\n"), "{ran:#?}");
    assert!(ran.stderr.ends_with("Nothing was changed.\n"), "{ran:#?}");
}

#[test]
fn verbs_are_listed_and_are_no_failure() {
    let machine = Machine::new();
    machine.write("/a", "old");
    machine.write("/stamp", "");
    machine.apply(
        r#"
        file "/a" {
          content  = "new"
          notifies = [file["/stamp"].touch]
        }
        file "/stamp" { action = "nothing" }
        "#,
    );
    let ran = machine.undo(&[]);
    assert_eq!((ran.code, &*machine.read("/a")), (Some(0), "old"), "{ran:#?}");
    assert!(ran.stderr.contains("file[\"/stamp\"]: the action `touch` cannot be undone\n"), "{ran:#?}");
}

#[test]
fn without_a_terminal_it_only_shows_the_changes() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    let ran = machine.run(&["undo"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stdout.contains("  - file[\"/a\"]   (remove)\n"), "{ran:#?}");
    assert!(ran.stderr.starts_with("Undo of run 1 (apply by "), "{ran:#?}");
    assert!(
        ran.stderr.ends_with(
            "Nothing was changed: there is no terminal to ask\n  hint: to make these changes without a question: --yes\n"
        ),
        "{ran:#?}"
    );
    assert_eq!(machine.read("/a"), "1");
}

#[test]
fn the_content_that_keeps_a_directory_is_named() {
    let machine = Machine::new();
    machine.apply("directory \"/d\" {}\n");
    machine.write("/d/later", "x");
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let hint = "hint: it contains \"later\"; only an empty directory is removed\n";
    assert!(ran.stderr.contains(hint), "{ran:#?}");
}
