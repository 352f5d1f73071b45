//! Groups and batches during a watch.

use super::stage::Stage;

/// Both drift at the same time: one batch repairs them.
#[test]
fn members_of_a_batch_are_repaired_together() {
    let text = r#"
        pack "/d/a" { text = "1" }
        pack "/d/b" { text = "2" }
        pack "/d/c" { text = "3" }"#;
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.host.tamper("/d/c", "x");
        })
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(|_| {})
        .watch(text)
        .check(
            "together /d/a /d/b /d/c
            + /d/a
            + /d/b
            + /d/c
            watching 3
            -
            together /d/a /d/c
            ~ /d/a because /d/a changed
            ~ /d/c because /d/c changed
            -
            ~ /d/b because /d/b changed
            -",
        );
    assert_eq!(transcript.count("look", "/d/a"), 4, "our own writes wake nobody: {:?}", transcript.asked);
}

/// A change while other members of the batch are written is not lost.
#[test]
fn a_change_during_a_batch_is_not_lost() {
    let text = r#"
        pack "/d/a" { text = "1" }
        pack "/d/b" { text = "2" }"#;
    let transcript = Stage::new()
        .answer(|call, word, name| {
            let late = call.host.writes().iter().filter(|write| write.path.ends_with("/d/b")).count() == 1;
            if (word, name) == ("looked", "/d/b") && late {
                call.host.tamper("/d/a", "x");
            }
            call.succeed("")
        })
        .then(|_| {})
        .then(|_| {})
        .watch(text);
    assert_eq!(
        (transcript.text("/d/a").as_deref(), transcript.text("/d/b").as_deref()),
        (Some("1"), Some("2"))
    );
}

/// A group notifies when all its members are as declared again.
#[test]
fn a_group_notifies_of_a_repair_once() {
    let text = r#"
        parallel {
          notifies = [note["/d/z"].shout]
          note "/d/a" { text = "1" }
          note "/d/b" { text = "2" }
        }
        note "/d/z" {
          text   = "3"
          action = "nothing"
        }"#;
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.host.tamper("/d/b", "x");
        })
        .then(|_| {})
        .watch(text);
    assert_eq!(
        transcript.count("shout", "/d/z"),
        2,
        "once at first, and once for both: {:?}",
        transcript.lines
    );
    assert_eq!(transcript.later().last().map(String::as_str), Some("-"));
}

/// Members of a subscribing group run when it is notified, and are not watched otherwise.
#[test]
fn a_subscribing_group_runs_after_a_change() {
    let text = r#"
        note "/d/a" { text = "1" }
        sequence {
          subscribes = [note["/d/a"]]
          note "/d/b" { text = "2" }
          note "/d/c" { text = "3" }
        }"#;
    let transcript = Stage::new()
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|_| {})
        .watch(text);
    let expected = [
        "-",
        "-",
        "~ /d/a because /d/a changed",
        "~ /d/b because note[\"/d/a\"] changed",
        "= /d/c because note[\"/d/a\"] changed",
        "-",
    ];
    assert_eq!(transcript.later(), expected);
}

/// Each waits for the previous one, also if both drift.
#[test]
fn a_sequence_is_repaired_in_order() {
    let text = r#"
        sequence {
          note "/d/b" { text = "1" }
          note "/d/a" { text = "2" }
        }"#;
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.host.tamper("/d/b", "x");
        })
        .then(|_| {})
        .watch(text);
    let expected = ["-", "~ /d/b because /d/b changed", "~ /d/a because /d/a changed", "-"];
    assert_eq!(transcript.later(), expected);
}

/// Dependencies, and not the order of the file, decide the order of repairs.
#[test]
fn a_dependent_waits_for_the_repair_of_its_dependency() {
    let text = r#"
        note "/d/a" {
          text       = "1"
          depends_on = [note["/d/b"]]
        }
        note "/d/b" {
          text       = "2"
          depends_on = [note["/d/c"]]
        }
        note "/d/c" { text = "3" }"#;
    let transcript = Stage::new()
        .then(|scene| ["/d/a", "/d/b", "/d/c"].iter().for_each(|path| scene.host.tamper(path, "x")))
        .then(|scene| ["/d/a", "/d/c"].iter().for_each(|path| scene.host.tamper(path, "y")))
        .watch(text);
    let later: Vec<&str> =
        transcript.later().iter().filter_map(|line| line.split(" because").next()).collect();
    assert_eq!(later, ["-", "~ /d/c", "~ /d/b", "~ /d/a", "-", "~ /d/c", "~ /d/a"]);
}
