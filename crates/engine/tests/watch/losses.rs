//! Lost events, resources that cannot be watched, and kinds that panic.

use super::stage::Stage;

const TWO: &str = r#"note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }"#;

#[test]
fn lost_events_are_reported_and_everything_is_checked() {
    let lose = |scene: &crate::watch::stage::Scene<'_>| {
        scene.host.tamper("/d/b", "x");
        scene.host.lose_reports();
    };
    Stage::new().then(lose).then(|_| {}).watch(TWO).check(
        "+ /d/a
        + /d/b
        watching 2
        -
        reports lost
        = /d/a because reports were lost
        ~ /d/b because reports were lost
        -",
    );
}

/// Without watches it is polled; that ends when watches are available again.
#[test]
fn a_resource_that_cannot_be_watched_is_polled() {
    let no_watches = |host: uphold_testkit::MemoryHost| {
        host.refuse_watches("/d/a");
        host
    };
    let transcript = Stage::new()
        .on(no_watches)
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.pass();
        })
        .then(|scene| {
            scene.host.allow_watches();
            scene.pass();
        })
        .then(|scene| {
            assert_eq!(scene.span, None, "it is watched, and no more polled");
            scene.host.tamper("/d/a", "y");
        })
        .watch(TWO);
    assert_eq!(transcript.unwatched[..2], ["look /d/a", "looked /d/a"]);
    assert_eq!(
        transcript.lines,
        [
            "+ /d/a",
            "/d/a is blind: cannot watch /d/a: no watches are left, looked at every 10s",
            "+ /d/b",
            "watching 2",
            "-",
            "~ /d/a because it is polled",
            "-",
            "= /d/a because it is polled",
            "-",
            "~ /d/a because /d/a changed",
        ]
    );
}

#[test]
fn a_resource_that_loses_its_watch_is_polled() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.refuse_watches("/d/a");
            scene.host.go_blind("/d/a", "its disk is gone");
        })
        .then(|scene| assert_eq!(scene.span.map(|span| span.as_secs()), Some(10)))
        .pass()
        .watch(TWO);
    let blind = transcript.lines_of("/d/a is blind");
    assert_eq!(blind.len(), 1, "said once: {:?}", transcript.lines);
    assert!(blind[0].contains("its disk is gone"), "{blind:?}");
    assert!(
        transcript.later().iter().any(|line| line == "= /d/a because it is polled"),
        "{:?}",
        transcript.lines
    );
    assert!(!transcript.later().iter().any(|line| line.contains("/d/b")), "{:?}", transcript.lines);
}

#[test]
fn a_panic_does_not_end_the_watch() {
    let stage = Stage::new().answer(|call, word, name| {
        assert!((word, name) != ("look", "/d/a"), "boo");
        call.succeed("")
    });
    let transcript = stage.pass().then(|scene| scene.host.tamper("/d/b", "x")).then(|_| {}).watch(TWO);
    assert!(transcript.lines_of("x /d/a").len() >= 2, "{:?}", transcript.lines);
    assert!(transcript.lines.contains(&"~ /d/b because /d/b changed".to_owned()), "{:?}", transcript.lines);
    assert_eq!(transcript.summary.failed, 1, "it is one that is failed at the end");
}

/// Events may be wrong, late, duplicated and in any order: that only causes more checks.
#[test]
fn duplicate_and_late_events_do_no_harm() {
    let trouble = uphold_testkit::Trouble { doubled: 100, delayed: 100, shuffled: 100, ..Default::default() };
    let transcript = Stage::new()
        .then(move |scene| {
            scene.host.suffer(1, trouble);
            scene.host.tamper("/d/a", "x");
            scene.host.tamper("/d/b", "x");
        })
        .then(|scene| scene.host.suffer(1, uphold_testkit::Trouble::default()))
        .then(|_| {})
        .then(|_| {})
        .watch(TWO);
    assert_eq!(
        (transcript.text("/d/a").as_deref(), transcript.text("/d/b").as_deref()),
        (Some("1"), Some("2"))
    );
    assert_eq!(transcript.lines_of("~").len(), 2, "{:?}", transcript.lines);
}
