//! Graphs of files and commands that converge once: t2, t5, t5b, graph-fanin-1 and the examples with sleeps.

use super::folder::Folder;
use super::running_watch::visits;
use super::work_log::WorkLog;

/// A task that logs its begin and end, and waits in between for a condition.
fn task(name: &str, until: &str, after: &str) -> String {
    format!(
        r#"
task "{name}" {{
  creates    = "DIR/{name}"
  apply      = "echo +{name} >> DIR/log; until {until}; do sleep 0.01; done; touch DIR/{name}; echo -{name} >> DIR/log"
  depends_on = [{after}]
}}
"#
    )
}

/// t2.
#[test]
fn files_are_created_and_removed() {
    let folder = Folder::with(
        r#"
file "DIR/f1" { content = "i am f1\n" }
file "DIR/f2" { content = "i am f2\n" }
file "DIR/d1/f3" { content = "i am f3\n" }
file "DIR/f4" { action = "remove" }
directory "DIR/d1" {}
"#,
    );
    folder.write("f4", "i am f4\n");
    folder.write("f1", "something else");
    assert_eq!(folder.converge(&[]).code, 0);
    assert_eq!(folder.read("f1").as_deref(), Some("i am f1\n"));
    assert_eq!(folder.read("f2").as_deref(), Some("i am f2\n"));
    assert_eq!(folder.read("d1/f3").as_deref(), Some("i am f3\n"));
    assert!(!folder.has("f4"));
}

/// t5, and exec1: a chain runs in order, and the watch ends when it has converged.
#[test]
fn a_chain_converges() {
    let chain = [
        task("c1", "true", ""),
        task("c2", "test -e DIR/c1", "task.c1"),
        task("c3", "test -e DIR/c2", "task.c2"),
    ];
    let folder = Folder::with(&chain.concat());
    assert_eq!(folder.converge(&[]).code, 0);
    let log = WorkLog::of(folder.read("log"));
    assert!(log.in_order("c1", "c2") && log.in_order("c2", "c3") && log.most_at_once() == 1);
}

/// t5b, exec2, graph9 and graph10: each of three tasks ends only after all three have begun, so that they must run side
/// by side; their dependent begins after all of them, and fans out again.
#[test]
fn a_fan_in_to_a_fan_out_converges_side_by_side() {
    let ins = "task.i1, task.i2, task.i3";
    let (three_began, two_began) = ("test $(grep -c +i DIR/log) -ge 3", "test $(grep -c +o DIR/log) -ge 2");
    let blocks = [
        task("i1", three_began, ""),
        task("i2", three_began, ""),
        task("i3", three_began, ""),
        task("mid", "true", ins),
        task("o1", two_began, "task.mid"),
        task("o2", two_began, "task.mid"),
    ];
    let folder = Folder::with(&blocks.concat());
    assert_eq!(folder.converge(&[]).code, 0);
    let log = WorkLog::of(folder.read("log"));
    assert!(log.is_done(6) && log.most_at_once() == 3);
    for (first, second) in [("i1", "mid"), ("i2", "mid"), ("i3", "mid"), ("mid", "o1"), ("mid", "o2")] {
        assert!(log.in_order(first, second), "{first} before {second}");
    }
}

/// graph-fanin-1: the same for files, of which one fails; its dependent is reported once, with the root cause.
#[test]
fn a_fan_in_ends_despite_a_failure() {
    let folder = Folder::with(
        r#"
file "DIR/a" { content = "a" }
file "DIR/none/b" { content = "b" }
file "DIR/c" { content = "c" }
file "DIR/last" { depends_on = [file["DIR/a"], file["DIR/none/b"], file["DIR/c"]] }
"#,
    );
    let ended = folder.converge(&[]);
    assert_eq!(ended.code, 1);
    let mut visits = visits(&ended.lines);
    visits.sort();
    visits.dedup();
    assert_eq!(
        visits,
        ["a changed: declared", "b failed: declared", "c changed: declared", "last skipped: declared"]
    );
    folder.make_dir("none");
    assert_eq!(folder.converge(&[]).code, 0);
    assert!(folder.has("last"));
}

/// graph0, graph6, noop0: no edges, or no resources.
#[test]
fn an_empty_configuration_converges() {
    let ended = Folder::with("").converge(&[]);
    assert_eq!(ended.code, 0);
    assert_eq!(visits(&ended.lines), [""; 0]);
}

/// deep-dirs: directories come first, independent of the order in the configuration.
#[test]
fn nested_directories_are_created_from_the_top() {
    let folder = Folder::with(
        r#"
file "DIR/a/b/c/f" { content = "deep\n" }
directory "DIR/a/b/c" {}
directory "DIR/a/b" {}
directory "DIR/a" {}
"#,
    );
    assert_eq!(folder.converge(&[]).code, 0);
    assert_eq!(folder.read("a/b/c/f").as_deref(), Some("deep\n"));
}

/// autoedges1: a file depends on the nearest managed directory above it, at any distance; a missing unmanaged directory
/// in between is reported.
#[test]
fn a_file_depends_on_the_nearest_managed_directory() {
    let folder = Folder::with(
        r#"
file "DIR/top/between/f" { content = "f" }
directory "DIR/top" {}
"#,
    );
    let ended = folder.converge(&[]);
    assert_eq!(ended.code, 1);
    assert_eq!(visits(&ended.lines)[..2], ["top changed: declared", "f failed: declared"]);
}
