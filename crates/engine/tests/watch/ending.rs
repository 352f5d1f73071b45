//! How a watch ends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use uphold_engine::EventKind;

use super::stage::Stage;

const ONE: &str = r#"note "/d/a" { text = "1" }"#;
const HALF_A_MINUTE: Duration = Duration::from_secs(30);

#[test]
fn it_ends_after_a_time_without_changes() {
    let transcript = Stage::new()
        .request(|request| request.until_converged = Some(HALF_A_MINUTE))
        .then(|scene| {
            scene.host.advance(Duration::from_secs(20));
            scene.host.tamper("/d/a", "x");
        })
        .then(|scene| {
            assert_eq!(scene.span, Some(HALF_A_MINUTE), "a change begins it anew");
            scene.pass();
        })
        .then(|_| panic!("it goes on"))
        .watch(ONE)
        .check(
            "+ /d/a
            watching 1
            -
            ~ /d/a because /d/a changed
            -",
        );
    assert_eq!(transcript.elapsed(), Duration::from_secs(50));
    assert!(transcript.summary.is_success());
}

/// A visit without a change does not restart that time.
#[test]
fn a_check_does_not_keep_it_running() {
    let text = r#"
        note "/d/a" {
          text = "1"
          poll = "20s"
        }"#;
    let transcript = Stage::new()
        .request(|request| request.until_converged = Some(HALF_A_MINUTE))
        .pass()
        .pass()
        .then(|_| panic!("it goes on"))
        .watch(text);
    assert_eq!(transcript.elapsed(), HALF_A_MINUTE);
}

/// A failure is no change, however often it is retried; but the result is not a success.
#[test]
fn a_failure_does_not_keep_it_running() {
    let stage = Stage::new().request(|request| request.until_converged = Some(HALF_A_MINUTE));
    let stage = stage.answer(|call, _, _| call.fail(2, "broken"));
    let transcript = (0..100).fold(stage, |stage, _| stage.pass()).watch(ONE);
    assert_eq!(transcript.elapsed(), HALF_A_MINUTE);
    assert!(!transcript.summary.is_success() && transcript.waits.len() > 2, "{:?}", transcript.lines);
}

#[test]
fn it_ends_after_its_maximum_duration() {
    let stage = Stage::new().request(|request| request.max_runtime = Some(Duration::from_secs(100)));
    let stage = stage.answer(|call, _, _| call.fail(2, "broken"));
    let transcript = (0..100).fold(stage, |stage, _| stage.pass()).watch(ONE);
    assert_eq!(transcript.elapsed(), Duration::from_secs(100));
}

#[test]
fn a_stop_ends_it() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.stop.request();
        })
        .then(|_| panic!("it goes on"))
        .watch(ONE);
    assert_eq!(transcript.later(), ["-"], "nothing is begun any more");
    assert!(transcript.summary.is_success(), "the stop prevented the check: {:?}", transcript.summary);
}

/// A stop before the retry of a failed resource does not hide the failure.
#[test]
fn a_failure_outlives_the_stop() {
    let stage = Stage::new().answer(|call, _, _| call.fail(2, "broken"));
    let transcript = stage.then(|scene| scene.stop.request()).watch(ONE);
    assert_eq!((transcript.summary.failed, transcript.summary.skipped), (1, 0), "{:?}", transcript.lines);
}

/// Other resources of the first run are skipped, as in an apply.
#[test]
fn a_stop_ends_the_first_run() {
    let text = r#"note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }"#;
    let transcript = Stage::new().then(|_| panic!("it goes on")).watch_with(text, |event, scene| {
        if matches!(event.kind, EventKind::Finished { .. }) {
            scene.stop.request();
        }
    });
    assert_eq!(transcript.lines[..2], ["+ /d/a", "s /d/b, stopped"], "{:?}", transcript.lines);
    assert!(transcript.summary.is_success(), "{:?}", transcript.summary);
}

#[test]
fn the_first_run_is_reported() {
    let mut frame = Vec::new();
    Stage::new().then(|scene| scene.host.tamper("/d/a", "x")).watch_with(ONE, |event, _| {
        frame.extend(match event.kind {
            EventKind::RunStarted { actions, .. } => Some(format!("started {actions}")),
            EventKind::RunFinished(summary) => Some(format!("finished {}", summary.changed)),
            EventKind::Watching { resources } => Some(format!("watching {resources}")),
            EventKind::Finished { .. } => Some("visited".to_owned()),
            _ => None,
        });
    });
    assert_eq!(frame, ["started 1", "visited", "finished 1", "watching 1", "visited"]);
}

/// It drifted, one attempt failed, and there was no other one.
#[test]
fn unrepaired_drift_at_the_end_is_not_a_success() {
    let writes = AtomicUsize::new(0);
    let text = r#"
        note "/d/a" {
          text  = "1"
          retry = { times = 9, delay = "1m" }
        }"#;
    let transcript = Stage::new()
        .answer(move |call, word, _| {
            let fails = word == "write" && writes.fetch_add(1, Ordering::Relaxed) > 0;
            if fails { call.fail(2, "broken") } else { call.succeed("") }
        })
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .watch(text);
    assert_eq!(transcript.lines_of("/d/a failed").len(), 1, "{:?}", transcript.lines);
    assert!(!transcript.summary.is_success(), "{:?}", transcript.summary);
}
