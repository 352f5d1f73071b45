//! Resources that change one path: ordered where one reads what the other writes.

use std::fs;

use crate::ground::{Ground, Ran};

/// A machine with the file `/etc/a` of one line.
fn ground(configuration: &str) -> Ground {
    let ground = Ground::with(configuration);
    fs::create_dir(ground.path("root/etc")).expect("a directory");
    ground.write("root/etc/a", "first\n");
    ground
}

/// A `line` of `/etc/a` that is called and says this.
fn line(name: &str, more: &str) -> String {
    format!("line \"{name}\" {{\n  file = \"/etc/a\"\n  line = \"{name}\"\n{more}}}\n")
}

/// Applies the configuration; then there is nothing left to do.
#[track_caller]
fn converges(ground: &Ground) -> Ran {
    let applied = ground.rooted(&["apply", "site.hcl"]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    let planned = ground.rooted(&["plan", "site.hcl"]);
    assert_eq!(planned.code, Some(0), "{}{}", planned.stdout, planned.stderr);
    applied
}

const COPY: &str = "file \"/copy\" { source = \"/etc/a\" }\n";

#[test]
fn a_copy_waits_for_all_edits_of_its_source() {
    let ground = ground(&(COPY.to_owned() + &line("x", "") + &line("y", "")));
    converges(&ground);
    assert_eq!(ground.read("root/copy"), "first\nx\ny\n");
}

#[test]
fn a_copy_waits_for_an_edit_that_removes_a_line() {
    let ground = ground(&(COPY.to_owned() + &line("first", "  action = \"remove\"\n")));
    converges(&ground);
    assert_eq!(ground.read("root/copy"), "");
}

/// A failed edit leaves a source that is not as declared.
#[test]
fn a_copy_is_skipped_if_any_edit_of_its_source_fails() {
    let failing = line("x", "  match = \"f|s\"\n");
    let ground = ground(&(COPY.to_owned() + &failing + &line("y", "")));
    ground.write("root/etc/a", "first\nsecond\n");
    let applied = ground.rooted(&["apply", "site.hcl"]);
    assert!(applied.stdout.contains("1 failed, 1 skipped"), "{}{}", applied.stdout, applied.stderr);
    assert_eq!(ground.read("root/etc/a"), "first\nsecond\ny\n", "edits do not depend on each other");
}

/// An explicit order is stronger than the one that follows from paths.
#[test]
fn an_edit_may_wait_for_a_copy_of_the_old_content() {
    let backup = "file \"/old\" {\n  source = \"/etc/a\"\n  create_if_missing = true\n}\n";
    let edit = line("x", "  depends_on = [file[\"/old\"]]\n");
    let ground = ground(&(COPY.to_owned() + &edit + backup + &line("y", "")));
    converges(&ground);
    assert_eq!(ground.read("root/old"), "first\n");
    assert_eq!(ground.read("root/copy"), "first\nx\ny\n");
}

#[test]
fn a_copy_of_a_file_with_a_secret_line_is_secret() {
    let secret = "line \"x\" {\n  file = \"/etc/a\"\n  line = sensitive(\"hunter2\")\n}\n";
    let many: String = [line("y", ""), line("z", "")].concat();
    let second = "file \"/second\" { source = \"/etc/a\" }\n";
    let ground = ground(&(COPY.to_owned() + second + &many + secret));
    let applied = converges(&ground);
    assert!(!applied.stdout.contains("hunter2"), "{}", applied.stdout);
    assert!(ground.read("root/copy").contains("hunter2"));
}
