//! Notifications while everything is watched.

use crate::stage::Stage;

/// `/d/a` and `/d/b` tell `/d/z` at this moment.
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

/// Somebody tampers with one, then with two, then with one that tells nobody.
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
    let told = tampered().watch(&telling(moment));
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(told.later(), expected);
    assert!(told.unwatched.is_empty(), "{:?}", told.unwatched);
}

#[test]
fn immediate_ones_come_right_after_the_repair() {
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
fn those_before_a_repair_come_before_it() {
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

/// Two repairs at a time are one restart.
#[test]
fn delayed_ones_come_once_when_all_is_repaired() {
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
fn those_on_success_come_if_nothing_is_failed() {
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
fn those_on_success_do_not_come_while_something_is_failed() {
    let failing = tampered().answer(|call, word, name| {
        if (word, name) == ("look", "/d/c") { call.fail(2, "broken") } else { call.succeed("") }
    });
    let told = failing.watch(&telling("on_success"));
    assert_eq!(told.count("shout", "/d/z"), 0, "{:?}", told.lines);
}

/// It was told, and could not act: that is told again, as a failure of its own.
#[test]
fn the_failure_of_who_is_told_is_its_own() {
    let failing = Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|_| {})
        .answer(|call, word, _| if word == "shout" { call.fail(2, "hoarse") } else { call.succeed("") });
    let told = failing.watch(&telling("immediately"));
    assert!(told.later().iter().any(|line| line == "~ /d/a because /d/a changed"), "{:?}", told.lines);
    assert!(
        told.later().iter().any(|line| line == "x /d/z.shout (immediately /d/a): hoarse"),
        "{:?}",
        told.lines
    );
    assert_eq!(told.text("/d/a").as_deref(), Some("1"));
}

#[test]
fn who_subscribes_is_told() {
    let text = r#"
        note "/d/a" { text = "1" }
        note "/d/z" {
          text       = "4"
          action     = "nothing"
          subscribes = { shout = [note["/d/a"]] }
        }"#;
    let told = Stage::new().then(|scene| scene.host.tamper("/d/a", "x")).then(|_| {}).watch(text);
    assert_eq!(told.later(), ["-", "~ /d/a because /d/a changed", "! /d/z.shout (delayed /d/a)", "-"]);
}

/// A visit that changes nothing tells nobody.
#[test]
fn nobody_is_told_of_nothing() {
    let told = Stage::new()
        .then(|scene| scene.host.report(&uphold_resource::Interest::Path("/d/a".into())))
        .then(|_| {})
        .watch(&telling("immediately"));
    assert_eq!(told.later(), ["-", "= /d/a because /d/a changed", "-"]);
}

/// What is not converged by itself is not held, either.
#[test]
fn what_is_only_told_is_not_held() {
    let told =
        Stage::new().then(|scene| scene.host.tamper("/d/z", "x")).then(|_| {}).watch(&telling("delayed"));
    assert_eq!(told.later(), ["-", "-"]);
}
