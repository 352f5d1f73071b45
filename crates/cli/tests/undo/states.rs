//! Each kind of change is undone, and an undo is undone.

use super::machine::Machine;

/// Applies a configuration, undoes it, and undoes that: both trees come back.
#[track_caller]
fn check(machine: &Machine, configuration: &str) {
    let before = machine.tree();
    machine.apply(configuration);
    let after = machine.tree();
    assert_ne!(after, before, "it changes something");
    let undone = machine.undo(&[]);
    assert_eq!(undone.code, Some(0), "{undone:#?}");
    assert_eq!(machine.tree(), before, "{undone:#?}");
    let redone = machine.undo(&["2"]);
    assert_eq!(redone.code, Some(0), "{redone:#?}");
    assert_eq!(machine.tree(), after, "{redone:#?}");
}

#[test]
fn created_resources_are_removed() {
    check(
        &Machine::new(),
        r#"
        directory "/d" { mode = "0750" }
        directory "/d/e" {}
        file "/d/e/f" { content = "x" }
        directory "/purged" { purge = true }
        link "/l" { to = "/d" }
        ini "k" {
          file   = "/d/k.ini"
          create = true
          key    = "k"
          value  = "v"
        }
        "#,
    );
}

#[test]
fn updated_resources_get_their_previous_values() {
    let machine = Machine::new();
    machine.directory("/d");
    machine.write("/short", "old\n");
    machine.write("/long", "old line\n".repeat(3000));
    machine.write("/bytes", [0xff, 0, 0xfe]);
    machine.link("/l", "/short");
    check(
        &machine,
        r#"
        directory "/d" { mode = "0700" }
        file "/short" {
          content = "new\n"
          mode    = "0600"
        }
        file "/long" { content = "new line\n" }
        file "/bytes" { content = "text" }
        link "/l" { to = "/long" }
        "#,
    );
}

#[test]
fn removed_resources_are_created_again() {
    let machine = Machine::new();
    machine.directory("/d");
    machine.set_mode("/d", 0o1750);
    machine.write("/d/f", "content\n");
    machine.set_mode("/d/f", 0o4711);
    machine.link("/l", "nowhere");
    check(
        &machine,
        r#"
        file "/d/f" { action = "remove" }
        directory "/d" {
          action     = "remove"
          depends_on = [file["/d/f"]]
        }
        link "/l" { action = "remove" }
        "#,
    );
}

#[test]
fn edits_of_one_file_are_undone_together() {
    let machine = Machine::new();
    machine.write("/hosts", "one\n\ntwo # odd  spaces\n");
    machine.write("/k.ini", "; comment\n[s]\nk=1\nother = 2\n");
    machine.write("/k.json", "{ \"a\":   1 }\n");
    check(
        &machine,
        r#"
        line "a" {
          file  = "/hosts"
          line  = "uno"
          match = "^one$"
        }
        line "b" {
          file = "/hosts"
          line = "three"
        }
        ini "k" {
          file    = "/k.ini"
          section = "s"
          key     = "k"
          value   = "v"
        }
        ini "other" {
          action  = "remove"
          file    = "/k.ini"
          section = "s"
          key     = "other"
        }
        json_edit "j" {
          file  = "/k.json"
          key   = "b"
          value = [1, 2]
        }
        "#,
    );
}

#[test]
fn a_file_and_its_edits_are_undone_together() {
    let configuration = r#"
        file "/conf" {
          content           = "first\n"
          create_if_missing = true
        }
        line "more" {
          file       = "/conf"
          line       = "second"
          depends_on = [file["/conf"]]
        }
        "#;
    check(&Machine::new(), configuration);
}

#[test]
fn only_changed_properties_are_brought_back() {
    let machine = Machine::new();
    machine.write("/f", "old\n");
    machine.apply("file \"/f\" { content = \"new\\n\" }");
    machine.set_mode("/f", 0o640);
    assert_eq!(machine.undo(&[]).code, Some(0));
    let (mode, content) = machine.tree().remove(&machine.at("/f")).expect("a file");
    assert_eq!((mode & 0o7777, &*content), (0o640, &b"old\n"[..]));
}

#[test]
fn a_path_may_differ_from_the_label() {
    let machine = Machine::new();
    machine.write("/f", "old\n");
    check(&machine, "file \"motd\" {\n  path = \"/f\"\n  content = \"new\\n\"\n}\n");
}
