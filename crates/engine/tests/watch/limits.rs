//! `poll`, `limit`, `retry`, `audit`, and the intervals of kinds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use uphold_engine::EventKind;
use uphold_resource::Level;

use super::stage::Stage;

#[test]
fn a_polled_resource_is_visited_without_events() {
    let text = r#"
        note "/d/a" {
          text = "1"
          poll = "7s"
        }
        note "/d/b" { text = "2" }"#;
    let transcript = Stage::new().pass().pass().watch(text).check(
        "+ /d/a
        + /d/b
        watching 2
        -
        = /d/a because it is polled
        -
        = /d/a because it is polled",
    );
    assert_eq!(transcript.elapsed(), Duration::from_secs(14));
}

#[test]
fn the_interval_of_a_kind_is_respected() {
    let transcript = Stage::new().pass().pass().watch(r#"lamp x { every = 60 }"#).check(
        "= x
        watching 1
        -
        = x because it is polled
        -
        = x because it is polled",
    );
    assert_eq!(transcript.elapsed(), Duration::from_secs(120));
}

#[test]
fn everything_is_checked_regularly() {
    let transcript =
        Stage::new().request(|request| request.recheck = Some(Duration::from_secs(600))).pass().pass().watch(
            r#"note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }"#,
        );
    let rechecked = transcript.lines.iter().filter(|line| line.ends_with("because everything is rechecked"));
    assert_eq!(rechecked.count(), 4, "{:?}", transcript.lines);
    assert!(transcript.elapsed() >= Duration::from_secs(1200), "{:?}", transcript.elapsed());
}

#[test]
fn a_check_of_everything_can_be_requested() {
    let transcript =
        Stage::new().then(|scene| scene.control.recheck()).watch(r#"note "/d/a" { text = "1" }"#);
    assert_eq!(transcript.later(), ["-", "= /d/a because everything is rechecked"]);
}

/// The third visit within a minute has to wait; no event is lost meanwhile.
#[test]
fn a_limit_delays_visits() {
    let text = r#"
        note "/d/a" {
          text  = "1"
          limit = { times = 2, per = "1m" }
        }
        note "/d/b" { text = "2" }"#;
    let transcript = Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| scene.host.tamper("/d/a", "y"))
        .then(|scene| {
            scene.host.tamper("/d/a", "z");
            scene.host.tamper("/d/b", "z");
        })
        .then(|scene| {
            assert!(scene.span.is_some_and(|span| span <= Duration::from_secs(60)), "{:?}", scene.span);
            scene.pass();
        })
        .then(|_| {})
        .watch(text);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
    let visits = transcript.lines_of("~ /d/a").len();
    assert!((2..=3).contains(&visits), "{:?}", transcript.lines);
    let b = transcript.lines.iter().position(|line| line.starts_with("~ /d/b")).expect("b is not limited");
    let last = transcript
        .lines
        .iter()
        .rposition(|line| line.starts_with("~ /d/a"))
        .expect("it is repaired in the end");
    assert!(b < last, "{:?}", transcript.lines);
    assert!(
        transcript.elapsed() > Duration::ZERO && transcript.elapsed() <= Duration::from_secs(60),
        "{:?}",
        transcript.elapsed()
    );
}

#[test]
fn a_failed_repair_is_retried() {
    let writes = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, _| {
        let failing = word == "write" && (1..3).contains(&writes.fetch_add(1, Ordering::Relaxed));
        if failing { call.fail(2, "busy") } else { call.succeed("") }
    });
    let text = r#"
        note "/d/a" {
          text  = "1"
          retry = { times = 3, delay = "2s" }
        }"#;
    let transcript =
        stage.then(|scene| scene.host.tamper("/d/a", "x")).pass().pass().then(|_| {}).watch(text);
    let tries = transcript.lines_of("/d/a failed");
    assert_eq!(
        tries,
        ["/d/a failed 1, again after 2s", "/d/a failed 2, again after 2s"],
        "{:?}",
        transcript.lines
    );
    assert!(transcript.lines.iter().any(|line| line.starts_with("~ /d/a because")), "{:?}", transcript.lines);
    assert!(transcript.lines_of("x").is_empty(), "{:?}", transcript.lines);
    assert_eq!(transcript.elapsed(), Duration::from_secs(4));
}

#[test]
fn a_resource_that_is_not_ready_is_checked_again() {
    let looks = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, _| {
        let early = word == "look" && (2..4).contains(&looks.fetch_add(1, Ordering::Relaxed));
        if early { call.fail(75, "") } else { call.succeed("") }
    });
    let transcript = stage
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .pass()
        .pass()
        .then(|_| {})
        .watch(r#"note "/d/a" { text = "1" }"#);
    assert_eq!(transcript.lines_of("/d/a waits").len(), 2, "{:?}", transcript.lines);
    assert_eq!(
        (transcript.text("/d/a").as_deref(), transcript.elapsed()),
        (Some("1"), Duration::from_secs(4))
    );
}

#[test]
fn drift_of_an_audited_resource_is_reported_and_not_repaired() {
    let text = r#"
        note "/d/a" {
          text  = "1"
          audit = true
        }
        note "/d/b" { text = "2" }"#;
    let transcript = Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| scene.host.tamper("/d/a", "1"))
        .watch(text)
        .check(
            "d /d/a
            + /d/b
            watching 2
            -
            d /d/a because /d/a changed
            -
            = /d/a because /d/a changed",
        );
    assert_eq!(transcript.count("write", "/d/a"), 0);
}

#[test]
fn a_watch_that_audits_changes_nothing() {
    let transcript = Stage::new()
        .request(|request| request.audit = true)
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .watch(r#"note "/d/a" { text = "1" }"#)
        .check(
            "d /d/a
            watching 1
            -
            d /d/a because /d/a changed",
        );
    assert!(transcript.host().writes().is_empty());
}

/// Guards are evaluated at each visit.
#[test]
fn a_guard_is_evaluated_at_each_visit() {
    let text = r#"
        note "/d/a" {
          text   = "1"
          not_if = "test -e /d/frozen"
        }"#;
    Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/frozen", "");
            scene.host.tamper("/d/a", "x");
        })
        .then(|scene| {
            scene.host.delete("/d/frozen");
            scene.host.tamper("/d/a", "y");
        })
        .watch(text)
        .check(
            "+ /d/a
            watching 1
            -
            o /d/a because /d/a changed
            -
            ~ /d/a because /d/a changed",
        );
}

/// Another process keeps undoing the repair: the watch backs off, and repairs it later.
#[test]
fn backs_off_from_a_repair_that_is_always_undone() {
    let tamper = |stage: Stage, _| stage.then(|scene| scene.host.tamper("/d/a", "x"));
    let mut warned = 0;
    let transcript = (0..20).fold(Stage::new(), tamper).pass().then(|_| {}).watch_with(
        r#"note "/d/a" { text = "1" }"#,
        |event, _| {
            warned += usize::from(matches!(event.kind, EventKind::Message { level: Level::Warning, .. }));
        },
    );
    let repairs = transcript.lines_of("~ /d/a").len();
    assert!((10..20).contains(&repairs), "{:?}", transcript.lines);
    assert_eq!((warned, transcript.text("/d/a").as_deref()), (1, Some("1")));
}
