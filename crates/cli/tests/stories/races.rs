//! The races of mgmt's engine that can be tested from outside.

use super::folder::Folder;
use super::work_log::WorkLog;

/// `TestNoCheckApplyBeforeWatchStartup`: the file changes during the first check, right after it was read. The change
/// would be lost if the watch began after the check.
#[test]
fn a_resource_is_watched_before_its_first_check() {
    let folder = Folder::with(
        r#"
query "first" {
  query       = "cat DIR/x; test -e DIR/once || { touch DIR/once; echo new > DIR/x; }"
  watch_paths = ["DIR/x"]
}
file "DIR/copy" { content = query.first.value }
"#,
    );
    folder.write("x", "old\n");
    let watch = folder.watch();
    watch.repairs("copy", "new");
}

/// `TestEventDuringCheckApplyNotSwallowed`: a change during a visit causes another visit.
#[test]
fn a_change_during_a_visit_is_not_lost() {
    let folder = Folder::with(
        r#"
query "slow" {
  query       = "cat DIR/x; touch DIR/read; until test -e DIR/go; do sleep 0.01; done"
  watch_paths = ["DIR/x"]
}
file "DIR/copy" { content = query.slow.value }
"#,
    );
    folder.write("x", "one");
    folder.write("go", "");
    let watch = folder.watch();
    folder.delete("go");
    folder.delete("read");
    folder.write("stranger", "two");
    folder.rename("stranger", "x");
    watch.awaits("it is read", || folder.has("read").then_some(()));
    folder.write("stranger", "three");
    folder.rename("stranger", "x");
    folder.write("go", "");
    watch.repairs("copy", "three");
    let visits = watch.visits_until_idle();
    assert_eq!(visits.iter().filter(|visit| visit.starts_with("slow")).count(), 2, "{visits:?}");
}

/// The same for a command that writes: its input changes while it runs.
#[test]
fn a_change_during_a_repair_is_not_lost() {
    let folder = Folder::with(
        r#"
task "copies" {
  check       = "cmp -s DIR/x DIR/copy"
  apply       = "cp DIR/x DIR/half; touch DIR/begun; sleep 0.3; mv DIR/half DIR/copy"
  watch_paths = ["DIR/x"]
}
"#,
    );
    folder.write("x", "one");
    let watch = folder.watch();
    assert_eq!(folder.read("copy").as_deref(), Some("one"));
    folder.delete("begun");
    folder.write("x", "two");
    watch.awaits("it is begun", || folder.has("begun").then_some(()));
    folder.write("x", "three");
    watch.repairs("copy", "three");
    watch.awaits("it is at rest", || {
        let visits = watch.visits_until_idle();
        visits.iter().all(|visit| !visit.contains("failed")).then_some(())
    });
    assert_eq!(watch.stop().code, 0);
}

/// `TestWatchRestartSerializesCheckApply`: events come from files and from a command that is restarted all the time;
/// visits never overlap.
#[test]
fn visits_of_one_resource_never_overlap() {
    let folder = Folder::with(
        r#"
task "alone" {
  check         = "echo +look >> DIR/log; sleep 0.05; echo -look >> DIR/log; test -e DIR/done"
  apply         = "echo +work >> DIR/log; sleep 0.05; touch DIR/done; echo -work >> DIR/log"
  watch_paths   = ["DIR/x"]
  watch_command = "for i in 1 2 3 4 5; do echo $i; sleep 0.03; done"
}
"#,
    );
    let watch = folder.start(&[]);
    for round in 0.. {
        folder.write("x", &round.to_string());
        if folder.has("done") && round % 5 == 0 {
            folder.delete("done");
        }
        if WorkLog::of(folder.read("log")).begun() >= 12 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    watch.awaits("it is done", || folder.has("done").then_some(()));
    assert_eq!(WorkLog::of(folder.read("log")).most_at_once(), 1);
}

/// `TestSafeCheckApplyTimeout`: a command that takes too long is ended and reported, and blocks no other resource.
#[test]
fn a_command_that_takes_too_long_is_ended() {
    let folder = Folder::with(
        r#"
task "slow" {
  creates = "DIR/done"
  apply   = "sleep 60"
  timeout = "200ms"
}
file "DIR/f" { content = "f" }
"#,
    );
    let ended = folder.converge(&[]);
    assert_eq!(ended.code, 1);
    let is_reported = |line: &serde_json::Value| {
        line["failure"]["message"].as_str().is_some_and(|text| text.contains("timed out"))
    };
    assert!(ended.lines.iter().any(is_reported));
    assert_eq!(folder.read("f").as_deref(), Some("f"));
}

/// Any number of changes during one visit causes one more visit.
#[test]
fn a_burst_is_one_visit() {
    let folder = Folder::with(
        r#"
query "slow" {
  query       = "touch DIR/read; until test -e DIR/go; do sleep 0.01; done"
  watch_paths = ["DIR/x"]
}
"#,
    );
    folder.write("go", "");
    let watch = folder.watch();
    folder.delete("go");
    folder.delete("read");
    folder.write("x", "");
    watch.awaits("it is read", || folder.has("read").then_some(()));
    (0..200).for_each(|number| folder.write("x", &number.to_string()));
    folder.write("go", "");
    assert_eq!(watch.visits_until_idle(), ["slow unchanged: change_detected"; 2]);
}
