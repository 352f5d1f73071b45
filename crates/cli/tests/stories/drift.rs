//! Drift is repaired: t6, file-move, file-move-upper-dir, poll1 and limit1.

use std::fs;
use std::time::Duration;

use super::folder::Folder;
use super::running_watch::names;

const F1: &str = r#"
file "DIR/f1" { content = "i am f1\n" }
"#;

/// t6: four times in a row, each because of an event of the kernel, each by one visit.
#[test]
fn a_file_is_repaired_each_time() {
    let folder = Folder::with(F1);
    let watch = folder.watch();
    let tamperings: [fn(&Folder); 4] = [
        |folder| folder.delete("f1"),
        |folder| folder.write("f1", "overwritten\n"),
        |folder| folder.delete("f1"),
        |folder| {
            folder.write("stranger", "replaced\n");
            folder.rename("stranger", "f1");
        },
    ];
    for tamper in tamperings {
        tamper(&folder);
        watch.repairs("f1", "i am f1\n");
        let visits = watch.visits_until_idle();
        // Overwriting truncates and then writes, so there may be a second visit.
        let changes: Vec<&String> = visits.iter().filter(|visit| !visit.contains("unchanged")).collect();
        assert_eq!(changes, ["f1 changed: change_detected"]);
    }
}

/// mgmt#987: a repair is one visit. Our own writes wake no resource.
#[test]
fn a_repair_does_not_lead_to_another_visit() {
    let folder = Folder::with(F1);
    let watch = folder.watch();
    folder.delete("f1");
    watch.repairs("f1", "i am f1\n");
    assert_eq!(watch.visits_until_idle(), ["f1 changed: change_detected"]);
    assert_eq!(watch.visits_until_idle(), [""; 0]);
}

/// file-move, mgmt#120: moving the file is detected; changes to the moved file are ignored.
#[test]
fn a_moved_file_is_replaced_and_no_longer_watched() {
    let folder = Folder::with(F1);
    let watch = folder.watch();
    folder.make_dir("elsewhere");
    assert_eq!(watch.visits_until_idle(), [""; 0]);
    for moved in ["f1-moved", "elsewhere/f1"] {
        folder.rename("f1", moved);
        watch.repairs("f1", "i am f1\n");
        assert_eq!(watch.visits_until_idle(), ["f1 changed: change_detected"]);
        folder.write(moved, "a later write\n");
        folder.delete(moved);
        assert_eq!(watch.visits_until_idle(), [""; 0]);
    }
}

/// file-move-upper-dir, mgmt#124: the parent directory is moved away, and its contents are created again; then the old
/// one is moved back, with other content.
#[test]
fn a_moved_directory_is_created_again_with_its_contents() {
    let folder = Folder::with(
        r#"
directory "DIR/a" {}
directory "DIR/a/b" {}
file "DIR/a/b/f" { content = "deep\n" }
"#,
    );
    let watch = folder.watch();
    folder.rename("a", "x");
    watch.repairs("a/b/f", "deep\n");
    let mut visits = watch.visits_until_idle();
    visits.sort();
    assert_eq!(
        visits,
        ["a changed: change_detected", "b changed: change_detected", "f changed: change_detected"]
    );
    folder.write("x/b/f", "nobody cares\n");
    assert_eq!(watch.visits_until_idle(), [""; 0]);
    folder.rename("a", "y");
    folder.rename("x", "a");
    watch.repairs("a/b/f", "deep\n");
    watch.visits_until_idle();
    folder.delete("a/b/f");
    watch.repairs("a/b/f", "deep\n");
    assert_eq!(watch.visits_until_idle(), ["f changed: change_detected"]);
}

/// file-move-upper-dir with an unmanaged directory: nothing can be done until it is moved back, which is detected at
/// once.
#[test]
fn a_file_recovers_when_its_moved_directory_is_back() {
    let folder = Folder::with(r#"file "DIR/p/q/f" { content = "f\n" }"#);
    fs::create_dir_all(folder.at("p/q")).expect("directories");
    let watch = folder.watch();
    folder.rename("p", "x");
    watch.awaits("it fails", || {
        watch.visits_until_idle().contains(&"f failed: change_detected".to_owned()).then_some(())
    });
    folder.write("x/q/f", "changed while away\n");
    folder.rename("x", "p");
    watch.repairs("p/q/f", "f\n");
    watch.visits_until_idle();
    folder.delete("p/q/f");
    watch.repairs("p/q/f", "f\n");
    assert_eq!(watch.visits_until_idle(), ["f changed: change_detected"]);
}

/// poll1: with `poll`, a resource is also checked periodically. A file is still watched, so it is repaired earlier.
#[test]
fn a_polled_resource_is_repaired() {
    let folder = Folder::with(
        r#"
task "polled" {
  check = "test -e DIR/done"
  apply = "touch DIR/done"
  poll  = "100ms"
}
file "DIR/watched" {
  content = "watched"
  poll    = "1h"
}
"#,
    );
    let watch = folder.watch();
    folder.delete("done");
    watch.awaits("it is made again", || folder.has("done").then_some(()));
    watch.await_lines_of("resource_finished", "polled", 3);
    folder.delete("watched");
    watch.repairs("watched", "watched");
    let visits = watch.visits_until_idle();
    let count = |wanted: &str| visits.iter().filter(|visit| *visit == wanted).count();
    assert_eq!(count("polled changed: polled"), 1, "{visits:?}");
    assert_eq!(count("watched changed: change_detected"), 1, "{visits:?}");
    assert!(visits.iter().all(|visit| visit.starts_with("polled ") || visit.starts_with("watched changed")));
}

/// limit1: the sixth of six quick changes is delayed, and not lost.
#[test]
fn the_sixth_quick_event_is_delayed() {
    const PER: Duration = Duration::from_secs(2);
    let folder = Folder::with(
        r#"
file "DIR/f" {
  content = "f"
  limit   = { times = 5, per = "2s" }
}
"#,
    );
    let watch = folder.watch();
    for time in 0..6 {
        folder.delete("f");
        watch.repairs("f", "f");
        // One more for the first visit.
        watch.await_lines_of("resource_finished", "f", time + 2);
    }
    assert_eq!(watch.visits_until_idle(), ["f changed: change_detected"; 6]);
    let lines = watch.lines();
    let begun = |line: &&serde_json::Value| line["type"] == "resource_started" && names(line, "f");
    let times: Vec<Duration> = lines.iter().filter(begun).skip(1).map(since_midnight).collect();
    let early = Duration::from_millis(2);
    assert!(times[5] + early >= times[0] + PER, "{times:?}");
}

/// The time of day of a line.
fn since_midnight(line: &serde_json::Value) -> Duration {
    let stamp = line["@timestamp"].as_str().expect("every line has its time");
    let clock = stamp.split_once('T').expect("a date and a time").1.trim_end_matches('Z');
    let seconds = clock.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().expect("a number"));
    Duration::from_secs_f64(seconds)
}
