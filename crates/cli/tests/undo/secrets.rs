//! Secrets are never kept.

use super::machine::Machine;

const SECRET: &str = "correct horse battery staple";

fn secret_file(content: &str) -> String {
    format!("file \"/key\" {{ content = sensitive(\"{content}\") }}\n")
}

#[test]
fn a_created_secret_is_removed_without_being_kept() {
    let machine = Machine::new();
    machine.apply(&secret_file(SECRET));
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!machine.at("/key").exists());
    assert!(machine.journal_files_with(SECRET).is_empty());
}

#[test]
fn a_secret_that_was_changed_since_is_left() {
    let machine = Machine::new();
    machine.apply(&secret_file(SECRET));
    machine.write("/key", "another one");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("file[\"/key\"]: changed since outside Uphold\n"), "{ran:#?}");
    assert_eq!(machine.read("/key"), "another one");
}

#[test]
fn a_previous_secret_is_not_kept() {
    let machine = Machine::new();
    machine.apply(&secret_file(SECRET));
    machine.apply(&secret_file("second one"));
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("file[\"/key\"]: its previous value is a secret\n"), "{ran:#?}");
    assert_eq!((ran.code, &*machine.read("/key")), (Some(1), "second one"));
    machine.apply("file \"/key\" { action = \"remove\" }\n");
    assert!(machine.journal_files_with(SECRET).is_empty());
    assert!(machine.journal_files_with("second one").is_empty());
}

#[test]
fn a_value_stays_a_secret_after_its_declaration() {
    let machine = Machine::new();
    machine.apply(&secret_file(SECRET));
    machine.apply("file \"/key\" { content = \"public\" }\n");
    machine.apply("line \"more\" {\n  file = \"/key\"\n  line = \"more\"\n}\n");
    assert!(machine.journal_files_with(SECRET).is_empty());
}

#[test]
fn an_edit_of_a_file_with_a_secret_is_not_kept() {
    let machine = Machine::new();
    machine.write("/conf", "a = 1\n");
    machine.apply(&format!(
        "ini \"k\" {{\n  file = \"/conf\"\n  key = \"password\"\n  value = sensitive(\"{SECRET}\")\n}}\n"
    ));
    machine.apply("ini \"k\" {\n  file = \"/conf\"\n  key = \"a\"\n  value = \"2\"\n}\n");
    assert!(machine.read("/conf").contains(SECRET));
    assert!(machine.journal_files_with(SECRET).is_empty());
}

#[test]
fn a_sensitive_resource_is_not_kept() {
    let machine = Machine::new();
    machine.write("/key", SECRET);
    machine.apply("file \"/key\" {\n  content = \"new\"\n  sensitive = true\n}\n");
    assert!(machine.journal_files_with(SECRET).is_empty());
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("file[\"/key\"]: its previous value is a secret\n"), "{ran:#?}");
}

/// Neither is its path, nor that of the file that it edits; both are recognized when they are public.
#[test]
fn the_identity_of_a_sensitive_resource_is_not_kept() {
    let machine = Machine::new();
    machine.write("/hidden-place", SECRET);
    machine.write("/hidden-conf", "a = 1\n");
    let file =
        |more: &str| format!("file \"key\" {{\n  path = \"/hidden-place\"\n  content = \"new\"\n{more}}}\n");
    let ini =
        "ini \"k\" {\n  file = \"/hidden-conf\"\n  key = \"b\"\n  value = \"2\"\n  sensitive = true\n}\n";
    machine.apply(&format!("{}{ini}", file("  sensitive = true\n")));
    assert!(machine.journal_files_with("hidden-").is_empty(), "{:?}", machine.journal_files_with("hidden-"));
    machine.write("/hidden-place", SECRET);
    machine.apply(&file("  mode = \"0640\"\n"));
    assert!(machine.journal_files_with(SECRET).is_empty());
    machine.apply(&file("  mode = \"0640\"\n  action = \"remove\"\n"));
    assert!(machine.journal_files_with(SECRET).is_empty());
}
