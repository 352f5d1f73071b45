//! Change events: none is missed, own writes are ignored, and a burst is one visit.

use std::sync::atomic::{AtomicUsize, Ordering};

use uphold_resource::Interest;

use super::stage::Stage;

const ONE: &str = r#"note "/d/a" { text = "1" }"#;

/// The stage itself records paths that are read while they are not watched.
#[test]
fn everything_is_watched_before_it_is_visited() {
    let text = r#"
        folder "/d/in" {}
        note "/d/in/deep" { text = "1" }
        note "/d/a" { text = "2" }"#;
    let transcript = Stage::new().then(|scene| scene.host.delete("/d/in")).watch(text).check(
        "+ /d/in
        + /d/in/deep
        + /d/a
        watching 3
        -
        + /d/in because /d/in changed
        + /d/in/deep because /d/in changed",
    );
    assert!(transcript.asked.contains(&("look", "/d/in/deep".to_owned())));
}

#[test]
fn own_writes_cause_no_visit() {
    let transcript =
        Stage::new().then(|_| {}).then(|scene| scene.host.tamper("/d/a", "x")).then(|_| {}).watch(ONE).check(
            "+ /d/a
            watching 1
            -
            -
            ~ /d/a because /d/a changed
            -",
        );
    assert_eq!(transcript.count("look", "/d/a"), 4, "each visit looks, changes, and looks again");
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

#[test]
fn every_kind_of_tampering_is_detected() {
    let mode = |mode| uphold_resource::Access { mode: Some(mode), ..Default::default() };
    let transcript = Stage::new()
        .then(|scene| scene.host.delete("/d/a"))
        .then(|scene| scene.host.rename("/d/a", "/d/b"))
        .then(|scene| scene.host.rename("/d", "/e"))
        .then(|scene| scene.host.rename("/e", "/d"))
        .then(move |scene| scene.host.change_access("/d/a", mode(0o600)))
        .watch(
            r#"folder "/d" {}
        note "/d/a" { text = "1" }"#,
        );
    let expected = "-
        + /d/a because /d/a changed
        -
        + /d/a because /d/a changed
        -
        + /d because /d changed
        + /d/a because /d changed
        -
        = /d because /d changed
        = /d/a because /d changed
        -
        = /d/a because /d/a changed";
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(transcript.later(), expected);
}

/// Another process changes the file after its last read, but before the visit ends.
#[test]
fn a_change_during_the_first_visit_is_not_lost() {
    let looks = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, _| {
        if word == "looked" && looks.fetch_add(1, Ordering::Relaxed) == 1 {
            call.host.tamper("/d/a", "x");
        }
        call.succeed("")
    });
    let transcript = stage.then(|_| {}).watch(ONE).check(
        "+ /d/a
        watching 1
        ~ /d/a because /d/a changed
        -",
    );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

#[test]
fn a_change_during_a_later_visit_is_not_lost() {
    let looks = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, _| {
        if word == "looked" && looks.fetch_add(1, Ordering::Relaxed) == 2 {
            call.host.tamper("/d/a", "x");
        }
        call.succeed("")
    });
    let transcript = stage.then(|scene| scene.host.report(&Interest::Path("/d/a".into()))).watch(ONE).check(
        "+ /d/a
        watching 1
        -
        = /d/a because /d/a changed
        ~ /d/a because /d/a changed",
    );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

/// A change that another resource makes is not an own write.
#[test]
fn a_change_by_another_resource_is_not_lost() {
    let stage = Stage::new().answer(|call, word, name| {
        if (word, name) == ("wrote", "/d/b") {
            call.host.tamper("/d/a", "x");
        }
        call.succeed("")
    });
    let transcript = stage
        .then(|_| {})
        .watch(
            r#"note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }"#,
        )
        .check(
            "+ /d/a
        + /d/b
        ~ /d/a because /d/a changed
        watching 2
        -",
        );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

/// The check after the write finds other content: that is a failure, and the watch goes on.
#[test]
fn a_change_between_write_and_check_is_not_lost() {
    let writes = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, _| {
        if word == "wrote" && writes.fetch_add(1, Ordering::Relaxed) == 0 {
            call.host.tamper("/d/a", "x");
        }
        call.succeed("")
    });
    let transcript = stage.pass().watch(ONE);
    assert!(transcript.lines[0].starts_with("x /d/a"), "{:?}", transcript.lines);
    assert!(transcript.lines.iter().any(|line| line.starts_with("~ /d/a because")), "{:?}", transcript.lines);
    assert_eq!((transcript.text("/d/a").as_deref(), transcript.summary.failed), (Some("1"), 0));
}

#[test]
fn a_burst_is_one_visit() {
    let burst = |scene: &crate::watch::stage::Scene<'_>| {
        (0..1000).for_each(|number| scene.host.tamper("/d/a", format!("{number}")));
    };
    let transcript = Stage::new().then(burst).then(|_| {}).watch(ONE).check(
        "+ /d/a
        watching 1
        -
        ~ /d/a because /d/a changed
        -",
    );
    assert_eq!(transcript.count("look", "/d/a"), 4);
}

#[test]
fn only_affected_resources_are_visited() {
    let text = r#"note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }
        note "/d/c" { text = "3" }"#;
    let transcript = Stage::new()
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(|scene| scene.host.tamper("/d/nobody", "x"))
        .then(|_| {})
        .watch(text);
    assert_eq!(transcript.later(), ["-", "~ /d/b because /d/b changed", "-", "-"]);
}

/// Another process changes the file before the check of the repair. That is drift and not a failure, unless it goes on.
#[test]
fn a_change_during_a_repair_is_repaired_at_once() {
    let check = |times: usize, failed: bool| {
        let writes = AtomicUsize::new(0);
        let stage = Stage::new().answer(move |call, word, _| {
            if word == "wrote" && (1..=times).contains(&writes.fetch_add(1, Ordering::Relaxed)) {
                call.host.tamper("/d/a", "x");
            }
            call.succeed("")
        });
        let stage = stage.then(|scene| scene.host.tamper("/d/a", "y"));
        let patient = |stage: Stage, _| {
            stage.then(|scene| {
                if scene.span.is_some() {
                    scene.pass();
                }
            })
        };
        let transcript = (0..4).fold(stage, patient).then(|_| {}).watch(ONE);
        assert_eq!(!transcript.lines_of("x").is_empty(), failed, "{times}: {:?}", transcript.lines);
        assert_eq!(
            transcript.text("/d/a").as_deref() == Some("1"),
            !failed,
            "{times}: {:?}",
            transcript.lines
        );
    };
    check(0, false);
    check(1, false);
    check(100, true);
}

/// The source was read before; its change is reported together with the own write.
#[test]
fn a_source_that_changes_during_a_repair_is_not_lost() {
    for word in ["look", "looked", "write", "wrote"] {
        let asked = AtomicUsize::new(0);
        let stage =
            Stage::new().on(|host| host.file("/d/source", "old", 0o644)).answer(move |call, asks, _| {
                if asks == word && asked.fetch_add(1, Ordering::Relaxed) == 0 {
                    call.host.tamper("/d/source", "new");
                }
                call.succeed("")
            });
        let transcript = stage.then(|_| {}).then(|_| {}).watch(r#"copy "/d/a" { from = "/d/source" }"#);
        assert_eq!(transcript.text("/d/a").as_deref(), Some("new"), "at {word}: {:?}", transcript.lines);
        assert!(transcript.lines_of("x").is_empty(), "at {word}: {:?}", transcript.lines);
    }
}
