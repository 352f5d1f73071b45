//! Kinds that run scripts.

use std::fs;

use crate::held::Held;

/// Says what was copied last; nothing if there is no copy.
fn copy(held: &Held) -> String {
    held.read("copy").unwrap_or_default()
}

#[test]
fn a_removed_file_of_a_task_is_created_again() {
    let held = Held::new("task \"make\" {\n creates = \"DIR/made\"\n apply = \"touch DIR/made\"\n}");
    let remove = |held: &Held| fs::remove_file(held.at("made")).expect("it was there");
    held.repairs("removed", remove, |held| held.exists("made"));
}

/// A task that copies `in`, with one more property.
fn copying(property: &str) -> String {
    format!(
        "task \"copy\" {{\n check = \"cmp -s DIR/in DIR/copy\"\n apply = \"cp DIR/in DIR/copy\"\n {property}\n}}"
    )
}

#[test]
fn a_task_is_checked_again_when_a_watched_path_changes() {
    let held = Held::after(&copying(r#"watch_paths = ["DIR/in"]"#), |ground| ground.write("in", "one"));
    held.write("in", "two");
    held.awaits("overwritten", |held| copy(held) == "two");
    held.write("new", "three");
    fs::rename(held.at("new"), held.at("in")).expect("it was there");
    held.awaits("replaced", |held| copy(held) == "three");
    held.until_calm();
    held.write("unrelated", "");
    assert_eq!(held.visited(), [""; 0]);
}

#[test]
fn a_watched_directory_includes_its_entries() {
    let site = "task \"index\" {
      check       = \"ls DIR/d | cmp -s - DIR/index\"
      apply       = \"ls DIR/d > DIR/index\"
      watch_paths = [\"DIR/d\"]
    }";
    let held = Held::after(site, |ground| fs::create_dir(ground.at("d")).expect("a directory"));
    let index = |held: &Held| held.read("index").unwrap_or_default();
    held.write("d/a", "");
    held.awaits("a name has come", |held| index(held) == "a\n");
    held.write("d/b", "");
    held.awaits("a second name", |held| index(held) == "a\nb\n");
    fs::remove_file(held.at("d/a")).expect("it was there");
    held.awaits("a name has gone", |held| index(held) == "b\n");
}

#[test]
fn a_task_is_checked_again_when_its_watch_command_writes_a_line() {
    let site = copying(r#"watch_command = "tail -n 0 -F DIR/log""#);
    let held = Held::after(&site, |ground| {
        ground.write("in", "one");
        ground.write("log", "");
    });
    held.write("in", "two");
    assert_eq!(held.visited(), [""; 0], "nothing watches the file itself");
    held.write("log", "a line\n");
    held.awaits("a line was written", |held| copy(held) == "two");
}

/// Who runs the scripts runs what wakes them, too.
#[test]
fn a_watch_command_runs_as_the_user() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let site = "query \"q\" {
      query         = \"echo\"
      user          = \"nobody\"
      env           = { GREETING = \"hello\" }
      dir           = \"DIR\"
      watch_command = \"echo $GREETING from $(id -un) in $PWD > who; exec sleep 1000\"
    }";
    let held = Held::after(site, |ground| {
        use std::os::unix::fs::PermissionsExt;
        ground.write("who", "");
        fs::set_permissions(ground.at("who"), fs::Permissions::from_mode(0o666)).expect("who");
        fs::set_permissions(ground.at(""), fs::Permissions::from_mode(0o755)).expect("its directory");
    });
    let expected =
        format!("hello from nobody in {}\n", held.at("").to_str().expect("a path").trim_end_matches('/'));
    held.awaits("it says who it is", |held| held.read("who").as_deref() == Some(&expected));
}

/// Others are woken by a value that is another one, and only those who read it.
#[test]
fn a_changed_query_result_wakes_its_readers() {
    let site = r#"
        query "lines" {
          query       = "wc -l < DIR/in"
          watch_paths = ["DIR/in"]
        }
        file "DIR/reader" { content = "${trimspace(query.lines.value)} lines" }
        file "DIR/bystander" { content = "nothing" }"#;
    let held = Held::after(site, |ground| ground.write("in", "one\n"));
    held.until_calm();
    held.write("in", "another\n");
    let visited = held.visited();
    assert!(!visited.is_empty() && visited.iter().all(|name| name == "lines"), "{visited:?}");
    held.write("in", "one\ntwo\n");
    held.awaits("its reader", |held| held.read("reader").as_deref() == Some("2 lines"));
    let visited = held.visited();
    assert!(visited.iter().any(|name| name.ends_with("reader")), "{visited:?}");
    assert!(!visited.iter().any(|name| name.ends_with("bystander")), "{visited:?}");
}
