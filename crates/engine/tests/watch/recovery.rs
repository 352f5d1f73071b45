//! A failed resource stays watched, and recovers by itself.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use uphold_resource::Files;
use uphold_testkit::Call;

use super::stage::{Scene, Stage};

const ONE: &str = r#"note "/d/a" { text = "1" }"#;
const CHAIN: &str = r#"
    note "/d/a" { text = "1" }
    note "/d/b" {
      text       = "2"
      depends_on = [note["/d/a"]]
    }
    note "/d/c" {
      text       = "3"
      depends_on = [note["/d/b"]]
    }
    note "/d/z" { text = "4" }"#;

/// `/d/a` cannot be loaded as long as `/d/broken` exists, which is not watched.
fn broken() -> Stage {
    Stage::new().on(|host| host.file("/d/broken", "", 0o644)).answer(|call, word, name| {
        if (word, name) == ("look", "/d/a") && is_broken(call) {
            call.fail(2, "broken")
        } else {
            call.succeed("")
        }
    })
}

fn is_broken(call: &Call<'_>) -> bool {
    call.host.look("/d/broken".as_ref()).is_ok_and(|entry| entry.is_some())
}

fn mend(scene: &Scene<'_>) {
    scene.host.delete("/d/broken");
}

/// It waits a moment, since a failing action may cause events itself.
#[test]
fn an_event_ends_a_failure() {
    let transcript = broken()
        .then(|scene| {
            mend(scene);
            scene.host.tamper("/d/a", "x");
        })
        .then(|scene| {
            assert!(scene.span.is_some_and(|span| span <= Duration::from_millis(200)), "{:?}", scene.span);
            scene.pass();
        })
        .then(|scene| assert_eq!(scene.span, None, "nothing is due any more"))
        .watch(ONE)
        .check(
            "x /d/a: broken
            /d/a backs off, failed 1
            watching 1
            -
            -
            ~ /d/a because /d/a changed
            -",
        );
    assert_eq!(transcript.summary.failed, 0);
}

#[test]
fn a_retry_ends_a_failure() {
    let transcript = broken()
        .pass()
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|scene| assert_eq!(scene.span, None, "nothing is due any more"))
        .watch(ONE)
        .check(
            "x /d/a: broken
            /d/a backs off, failed 1
            watching 1
            -
            x /d/a because it failed before: broken
            /d/a backs off, failed 2
            -
            + /d/a because it failed before
            -",
        );
    assert_eq!(transcript.summary.failed, 0);
}

#[test]
fn backoff_grows_up_to_a_maximum_and_is_random() {
    let stage = (0..30).fold(broken(), |stage, _| stage.pass());
    let transcript = stage.watch(ONE);
    let waits: Vec<f64> = transcript.waits.iter().map(Duration::as_secs_f64).collect();
    assert_eq!(waits.len(), 31, "{:?}", transcript.lines);
    assert!(waits[0] > 0.0 && waits[0] <= 5.0 && waits[4] > 2.0 * waits[0], "{waits:?}");
    let late = &waits[20..];
    let (least, most) =
        late.iter().fold((f64::MAX, 0.0_f64), |(least, most), wait| (least.min(*wait), most.max(*wait)));
    assert!(most <= 3.0 * least && most <= 900.0, "they are capped: {waits:?}");
    assert!(most > least, "they differ at random: {waits:?}");
}

/// After a success, the backoff starts again.
#[test]
fn a_new_failure_begins_with_a_short_backoff() {
    let transcript = (0..8)
        .fold(broken(), |stage, _| stage.pass())
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|scene| {
            scene.host.tamper("/d/broken", "");
            scene.host.tamper("/d/a", "x");
        })
        .then(|_| {})
        .watch(ONE);
    let (last, before) =
        (transcript.waits[transcript.waits.len() - 1], transcript.waits[transcript.waits.len() - 2]);
    assert!(last < before / 4, "{:?}", transcript.waits);
    assert_eq!(transcript.lines_of("/d/a backs off").last(), Some(&"/d/a backs off, failed 1"));
}

#[test]
fn dependents_are_visited_when_a_failure_ends() {
    let transcript = broken()
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|_| {})
        .watch(CHAIN)
        .check(
            r#"x /d/a: broken
            /d/a backs off, failed 1
            s /d/b, /d/a failed
            s /d/c, /d/a failed
            + /d/z
            watching 4
            -
            + /d/a because it failed before
            + /d/b because note["/d/a"] has recovered
            + /d/c because note["/d/b"] has recovered
            -"#,
        );
    assert_eq!((transcript.summary.failed, transcript.summary.skipped), (0, 0));
}

/// Events in between are not lost.
#[test]
fn dependents_of_a_failure_are_not_visited_meanwhile() {
    let transcript = Stage::new()
        .answer(|call, word, name| {
            if (word, name) == ("look", "/d/a") && is_broken(call) {
                call.fail(2, "broken")
            } else {
                call.succeed("")
            }
        })
        .then(|scene| {
            scene.host.tamper("/d/broken", "");
            scene.host.tamper("/d/a", "x");
        })
        .then(|scene| {
            scene.host.tamper("/d/b", "x");
            scene.host.tamper("/d/z", "x");
        })
        .then(|scene| scene.host.tamper("/d/b", "y"))
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|_| {})
        .watch(CHAIN);
    let later = transcript.later();
    let place = |line: &str| {
        later
            .iter()
            .position(|transcript| transcript.starts_with(line))
            .unwrap_or_else(|| panic!("no {line} in {later:?}"))
    };
    assert!(place("x /d/a") < place("~ /d/z") && place("~ /d/z") < place("~ /d/a"), "{later:?}");
    assert!(place("~ /d/a") < place("~ /d/b"), "{later:?}");
    assert_eq!(transcript.count("write", "/d/b"), 2, "{later:?}");
    assert!(transcript.lines_of("s /d/b").len() <= 1, "that is no news: {later:?}");
    assert_eq!(transcript.text("/d/b").as_deref(), Some("2"));
}

/// An ignored failure blocks no dependents, but it is retried.
#[test]
fn an_ignored_failure_recovers_too() {
    let text = r#"
        note "/d/a" {
          text           = "1"
          ignore_failure = true
        }
        note "/d/b" {
          text       = "2"
          depends_on = [note["/d/a"]]
        }"#;
    let transcript = broken()
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .watch(text);
    assert_eq!(transcript.lines[0], "i /d/a: broken");
    assert!(transcript.lines.iter().any(|line| line == "+ /d/b"), "{:?}", transcript.lines);
    assert!(
        transcript.later().iter().any(|line| line == "+ /d/a because it failed before"),
        "{:?}",
        transcript.lines
    );
}

/// A resource fails during the first run, after it was as declared: its later dependents wait.
#[test]
fn a_failure_during_the_first_run_blocks_dependents() {
    let text = r#"
        note "/d/a" { text = "1" }
        note "/d/b" { text = "2" }
        note "/d/c" {
          text       = "3"
          depends_on = [note["/d/a"], note["/d/b"]]
        }"#;
    let transcript = Stage::new()
        .answer(|call, word, name| match (word, name) {
            ("wrote", "/d/b") => {
                call.host.tamper("/d/broken", "");
                call.host.tamper("/d/a", "x");
                call.succeed("")
            }
            ("look", "/d/a") if is_broken(call) => call.fail(2, "broken"),
            _ => call.succeed(""),
        })
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|_| {})
        .watch(text);
    let place = |begin: &str| transcript.lines.iter().position(|line| line.starts_with(begin));
    let (failed, repaired, after) = (place("x /d/a"), place("~ /d/a"), place("+ /d/c"));
    assert!(failed.is_some() && failed < repaired && repaired < after, "{:?}", transcript.lines);
}

/// Removing a directory removes its entries first, and the events arrive in that order.
#[test]
fn drift_together_with_the_parent_directory_is_not_a_failure() {
    let text = r#"
        folder "/d/in" {}
        note "/d/in/a" { text = "1" }"#;
    let writes = AtomicUsize::new(0);
    let transcript = Stage::new()
        .answer(move |call, word, name| {
            if (word, name) == ("write", "/d/in/a") && writes.fetch_add(1, Ordering::Relaxed) == 1 {
                call.host.delete("/d/in");
            }
            call.succeed("")
        })
        .then(|scene| scene.host.delete("/d/in/a"))
        .then(|_| {})
        .watch(text);
    assert!(transcript.lines_of("x").is_empty() && transcript.waits.is_empty(), "{:?}", transcript.lines);
    let later: Vec<&str> =
        transcript.later().iter().filter_map(|line| line.split(" because").next()).collect();
    assert_eq!(later, ["-", "+ /d/in", "+ /d/in/a", "-"]);
}

/// A watch has no end of a run that could decide it: the notification waits until nothing is failed.
#[test]
fn on_success_notifications_wait_for_a_recovery() {
    let text = r#"
        note "/d/a" { text = "1" }
        note "/d/b" {
          text     = "2"
          notifies = { on_success = [note["/d/z"].shout] }
        }
        note "/d/z" {
          text   = "3"
          action = "nothing"
        }"#;
    let transcript = broken()
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(|scene| {
            mend(scene);
            scene.pass();
        })
        .then(|_| {})
        .watch(text);
    let place = |begin: &str| transcript.lines.iter().rposition(|line| line.starts_with(begin));
    let (recovered, shouted) = (place("+ /d/a"), place("! /d/z.shout"));
    assert!(recovered.is_some() && recovered < shouted, "{:?}", transcript.lines);
    assert_eq!(transcript.count("shout", "/d/z"), 1, "{:?}", transcript.lines);
}
