//! Notifications during a watch.

use super::stage::Stage;

/// `/d/a` and `/d/b` notify `/d/z` with this timing.
fn telling(moment: &str) -> String {
    format!(
        r#"
        note "/d/a" {{
          text     = "1"
          notifies = {{ {moment} = [note["/d/z"].shout] }}
        }}
        note "/d/b" {{
          text     = "2"
          notifies = {{ {moment} = [note["/d/z"].shout] }}
        }}
        note "/d/c" {{
          text       = "3"
          depends_on = [note["/d/a"]]
        }}
        note "/d/z" {{
          text   = "4"
          action = "nothing"
        }}"#
    )
}

/// The test tampers with one file, then with two, then with one that notifies nothing.
fn tampered() -> Stage {
    Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| {
            scene.host.tamper("/d/a", "y");
            scene.host.tamper("/d/b", "y");
        })
        .then(|scene| scene.host.tamper("/d/c", "x"))
        .then(|_| {})
}

#[track_caller]
fn check(moment: &str, expected: &str) {
    let transcript = tampered().watch(&telling(moment));
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(transcript.later(), expected);
    assert!(transcript.unwatched.is_empty(), "{:?}", transcript.unwatched);
}

#[test]
fn immediate_notifications_follow_the_repair() {
    check(
        "immediately",
        "-
        ~ /d/a because /d/a changed
        ! /d/z.shout (immediately /d/a)
        -
        ~ /d/a because /d/a changed
        ! /d/z.shout (immediately /d/a)
        ~ /d/b because /d/b changed
        ! /d/z.shout (immediately /d/b)
        -
        ~ /d/c because /d/c changed
        -",
    );
}

#[test]
fn before_notifications_precede_the_repair() {
    check(
        "before",
        "-
        ! /d/z.shout (before /d/a)
        ~ /d/a because /d/a changed
        -
        ! /d/z.shout (before /d/a)
        ~ /d/a because /d/a changed
        ! /d/z.shout (before /d/b)
        ~ /d/b because /d/b changed
        -
        ~ /d/c because /d/c changed
        -",
    );
}

/// Two repairs at the same time cause one restart.
#[test]
fn delayed_notifications_are_delivered_once_after_all_repairs() {
    check(
        "delayed",
        "-
        ~ /d/a because /d/a changed
        ! /d/z.shout (delayed /d/a)
        -
        ~ /d/a because /d/a changed
        ~ /d/b because /d/b changed
        ! /d/z.shout (delayed /d/a)
        -
        ~ /d/c because /d/c changed
        -",
    );
}

#[test]
fn on_success_notifications_are_delivered_if_nothing_has_failed() {
    check(
        "on_success",
        "-
        ~ /d/a because /d/a changed
        ! /d/z.shout (on_success /d/a)
        -
        ~ /d/a because /d/a changed
        ~ /d/b because /d/b changed
        ! /d/z.shout (on_success /d/a)
        -
        ~ /d/c because /d/c changed
        -",
    );
}

#[test]
fn on_success_notifications_wait_while_something_has_failed() {
    let failing = tampered().answer(|call, word, name| {
        if (word, name) == ("look", "/d/c") { call.fail(2, "broken") } else { call.succeed("") }
    });
    let transcript = failing.watch(&telling("on_success"));
    assert_eq!(transcript.count("shout", "/d/z"), 0, "{:?}", transcript.lines);
}

/// The target was notified and failed: the failure is its own, and is retried.
#[test]
fn the_failure_of_a_target_is_its_own() {
    let failing = Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|_| {})
        .answer(|call, word, _| if word == "shout" { call.fail(2, "hoarse") } else { call.succeed("") });
    let transcript = failing.watch(&telling("immediately"));
    assert!(
        transcript.later().iter().any(|line| line == "~ /d/a because /d/a changed"),
        "{:?}",
        transcript.lines
    );
    assert!(
        transcript.later().iter().any(|line| line == "x /d/z.shout (immediately /d/a): hoarse"),
        "{:?}",
        transcript.lines
    );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

#[test]
fn a_subscriber_is_notified() {
    let text = r#"
        note "/d/a" { text = "1" }
        note "/d/z" {
          text       = "4"
          action     = "nothing"
          subscribes = { shout = [note["/d/a"]] }
        }"#;
    let transcript = Stage::new().then(|scene| scene.host.tamper("/d/a", "x")).then(|_| {}).watch(text);
    assert_eq!(transcript.later(), ["-", "~ /d/a because /d/a changed", "! /d/z.shout (delayed /d/a)", "-"]);
}

/// A visit without a change notifies nothing.
#[test]
fn no_change_means_no_notification() {
    let transcript = Stage::new()
        .then(|scene| scene.host.report(&uphold_resource::Interest::Path("/d/a".into())))
        .then(|_| {})
        .watch(&telling("immediately"));
    assert_eq!(transcript.later(), ["-", "= /d/a because /d/a changed", "-"]);
}

/// A resource that only acts when it is notified is not watched.
#[test]
fn a_resource_that_is_only_notified_is_not_watched() {
    let transcript =
        Stage::new().then(|scene| scene.host.tamper("/d/z", "x")).then(|_| {}).watch(&telling("delayed"));
    assert_eq!(transcript.later(), ["-", "-"]);
}
