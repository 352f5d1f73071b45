//! Stories detect and report every sort of misbehaviour on a real host.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use uphold_testbed::{Bed, Host, Story};

/// A task with this check and this apply script.
fn task(check: &str, apply: &str) -> String {
    format!("task \"t\" {{\n  check = <<-E\n    {check}\n  E\n  apply = <<-E\n    {apply}\n  E\n}}\n")
}

/// Checks that the story fails with a message that contains all of these words.
#[track_caller]
fn check(host: &Host, build: impl FnOnce(Story<'_>) -> Story<'_>, words: &[&str]) {
    host.ok("rm -rf /srv/* /run/n");
    let story = build(Story::of(host, "a bad one"));
    let failure = catch_unwind(AssertUnwindSafe(|| story.run())).expect_err("it has to fail");
    let message = failure.downcast_ref::<String>().expect("a message is text");
    for word in words.iter().chain(&["story \"a bad one\""]) {
        assert!(message.contains(word), "{word:?} is not in\n{message}");
    }
}

#[test]
fn kinds_that_misbehave_are_caught() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("misbehaviour");
    let looks_and_writes = task("echo x >>/srv/looked; test -e /srv/made", "touch /srv/made");
    check(
        &host,
        |story| story.configuration(&looks_and_writes),
        &["a plan must write nothing", "/srv/looked"],
    );
    let fails = task("test -e /srv/made", "false");
    check(&host, |story| story.configuration(&fails), &["apply must succeed"]);
    // The check fails twice, succeeds after the apply, then fails again.
    let forgets = task(
        "n=$(cat /run/n || echo 0); echo $((n + 1)) >/run/n; test $n = 2 || test $n = 4",
        "touch /srv/made",
    );
    check(&host, |story| story.configuration(&forgets), &["the second apply must change nothing"]);
    let right = task("test -e /srv/made", "touch /srv/made");
    check(
        &host,
        |story| story.configuration(&right).removed_by(&task("false", "false"), "true"),
        &["removal", "apply must succeed"],
    );
}

#[test]
fn stories_that_fail_are_caught() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("untrue");
    let file = r#"file "/srv/a" {
        content = "a"
        mode    = "0600"
    }"#;
    let removed = r#"file "/srv/a" { action = "remove" }"#;
    check(&host, |story| story.configuration(""), &["the first plan must show changes"]);
    check(
        &host,
        |story| story.configuration(file).drift("content", "true"),
        &["drift `true`", "must show it"],
    );
    check(
        &host,
        |story| story.configuration(file).drift("content", "false"),
        &["this must succeed", "$ false"],
    );
    check(&host, |story| story.configuration(file).holds("test -e /srv/b"), &["apply", "$ test -e /srv/b"]);
    let by_mode = "chmod 644 /srv/a";
    check(
        &host,
        |story| story.configuration(file).drift("content", by_mode),
        &["must name the property \"content\""],
    );
    check(&host, |story| story.configuration(file).missing(by_mode), &["must create it again"]);
    check(&host, |story| story.configuration(file).change(file), &["change", "must show changes"]);
    check(
        &host,
        |story| story.configuration(file).change_to(removed, "test -e /srv/a"),
        &["this must succeed"],
    );
    check(&host, |story| story.configuration(file).removed_by(removed, "test -e /srv/a"), &["removal"]);
    check(&host, |story| story.configuration(file).wrong(file, "mode"), &["must fail (exit code 1)"]);
    let nonsense = r#"file "/srv/a" { mode = "rw" }"#;
    check(&host, |story| story.configuration(file).wrong(nonsense, "colour"), &["must say \"colour\""]);
}

#[test]
fn a_watch_that_does_not_repair_is_caught() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("unwatched");
    // A task gets no events for the files that its check reads.
    let blind = task("test -e /srv/made", "touch /srv/made");
    let span = Duration::from_millis(500);
    check(
        &host,
        |story| story.configuration(&blind).undone("rm /srv/made").watch_within(span),
        &["the watch must repair it"],
    );
}
