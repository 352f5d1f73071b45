//! Kinds that run scripts.

use std::fs;

use super::watched::Watched;

/// The copied content; empty if there is no copy.
fn copy(watch: &Watched) -> String {
    watch.read("copy").unwrap_or_default()
}

#[test]
fn a_removed_file_of_a_task_is_created_again() {
    let watch = Watched::new("task \"make\" {\n creates = \"DIR/made\"\n apply = \"touch DIR/made\"\n}");
    let remove = |watch: &Watched| fs::remove_file(watch.at("made")).expect("it existed");
    watch.repairs("removed", remove, |watch| watch.exists("made"));
}

/// A task that copies `in`, with an additional property.
fn copying(property: &str) -> String {
    format!(
        "task \"copy\" {{\n check = \"cmp -s DIR/in DIR/copy\"\n apply = \"cp DIR/in DIR/copy\"\n {property}\n}}"
    )
}

#[test]
fn a_task_is_checked_again_when_a_watched_path_changes() {
    let watch = Watched::after(&copying(r#"watch_paths = ["DIR/in"]"#), |sandbox| sandbox.write("in", "one"));
    watch.write("in", "two");
    watch.awaits("overwritten", |watch| copy(watch) == "two");
    watch.write("new", "three");
    fs::rename(watch.at("new"), watch.at("in")).expect("it existed");
    watch.awaits("replaced", |watch| copy(watch) == "three");
    watch.until_idle();
    watch.write("unrelated", "");
    assert_eq!(watch.visited(), [""; 0]);
}

#[test]
fn a_watched_directory_includes_its_entries() {
    let site = "task \"index\" {
      check       = \"ls DIR/d | cmp -s - DIR/index\"
      apply       = \"ls DIR/d > DIR/index\"
      watch_paths = [\"DIR/d\"]
    }";
    let watch = Watched::after(site, |sandbox| fs::create_dir(sandbox.at("d")).expect("a directory"));
    let index = |watch: &Watched| watch.read("index").unwrap_or_default();
    watch.write("d/a", "");
    watch.awaits("a name has come", |watch| index(watch) == "a\n");
    watch.write("d/b", "");
    watch.awaits("a second name", |watch| index(watch) == "a\nb\n");
    fs::remove_file(watch.at("d/a")).expect("it existed");
    watch.awaits("a name has gone", |watch| index(watch) == "b\n");
}

#[test]
fn a_task_is_checked_again_when_its_watch_command_writes_a_line() {
    let site = copying(r#"watch_command = "tail -n 0 -F DIR/log""#);
    let watch = Watched::after(&site, |sandbox| {
        sandbox.write("in", "one");
        sandbox.write("log", "");
    });
    watch.write("in", "two");
    assert_eq!(watch.visited(), [""; 0], "nothing watches the file itself");
    watch.write("log", "a line\n");
    watch.awaits("a line was written", |watch| copy(watch) == "two");
}

/// A watch command runs as the user of the task.
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
    let watch = Watched::after(site, |sandbox| {
        use std::os::unix::fs::PermissionsExt;
        sandbox.write("who", "");
        fs::set_permissions(sandbox.at("who"), fs::Permissions::from_mode(0o666)).expect("who");
        fs::set_permissions(sandbox.at(""), fs::Permissions::from_mode(0o755)).expect("its directory");
    });
    let expected =
        format!("hello from nobody in {}\n", watch.at("").to_str().expect("a path").trim_end_matches('/'));
    watch.awaits("it says who it is", |watch| watch.read("who").as_deref() == Some(&expected));
}

/// A changed value wakes its readers only.
#[test]
fn a_changed_query_result_wakes_its_readers() {
    let site = r#"
        query "lines" {
          query       = "wc -l < DIR/in"
          watch_paths = ["DIR/in"]
        }
        file "DIR/reader" { content = "${trimspace(query.lines.value)} lines" }
        file "DIR/bystander" { content = "nothing" }"#;
    let watch = Watched::after(site, |sandbox| sandbox.write("in", "one\n"));
    watch.until_idle();
    watch.write("in", "another\n");
    let visited = watch.visited_after_wake();
    assert!(visited.iter().all(|name| name == "lines"), "{visited:?}");
    watch.write("in", "one\ntwo\n");
    watch.awaits("its reader", |watch| watch.read("reader").as_deref() == Some("2 lines"));
    let visited = watch.visited();
    assert!(visited.iter().any(|name| name.ends_with("reader")), "{visited:?}");
    assert!(!visited.iter().any(|name| name.ends_with("bystander")), "{visited:?}");
}
