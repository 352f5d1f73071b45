//! Drift is repaired and reported.

use std::fs;
use std::time::Duration;

use crate::session::Ground;

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\nfile \"/b\" {\n  content = \"two\\n\"\n}\n";

/// A line without its time and duration.
fn plain(line: &str) -> &str {
    let line = line.split_once(' ').map_or(line, |(_, rest)| rest);
    line.rsplit_once(" (").map_or(line, |(before, _)| before)
}

#[test]
fn drift_is_repaired_and_reported_with_its_reason() {
    let ground = Ground::with(SITE);
    let mut session = ground.watching(&[]);
    assert!(session.said.iter().any(|line| line.starts_with("Applied: 2 added")), "{:?}", session.said);
    ground.write("root/a", "other");
    let line = session.await_line("repaired");
    assert_eq!(plain(&line), "repaired file[\"/a\"]: content, because /a changed");
    assert_eq!(ground.read("root/a"), "one\n");
    assert!(line.as_bytes()[2] == b':' && line.as_bytes()[5] == b':', "it begins with the time: {line}");
    fs::remove_file(ground.path("root/b")).expect("it existed");
    assert_eq!(
        plain(&session.await_line("repaired")),
        "repaired file[\"/b\"]: was missing, because /b changed"
    );
    let (code, said) = session.end();
    assert_eq!(code, Some(0));
    let last = said.last().expect("a line");
    assert!(last.contains(": 2 repaired, everything is as declared"), "{last}");
}

#[test]
fn unchanged_resources_are_not_reported() {
    let ground = Ground::with(SITE);
    let mut session = ground.watching(&[]);
    // The same content, so that a check finds no difference.
    ground.write("root/a", "one\n");
    session.expect_silence(Duration::from_millis(400));
}

#[test]
fn verbose_shows_the_difference() {
    let ground = Ground::with(SITE);
    let mut session = ground.watching(&["--verbose"]);
    ground.write("root/a", "other\n");
    session.await_line("repaired");
    session.await_line("- other");
}

#[test]
fn an_audit_changes_nothing_and_ends_with_two() {
    let ground = Ground::with(SITE);
    ground.write("root/a", "one\n");
    ground.write("root/b", "two\n");
    let mut session = ground.watching(&["--audit"]);
    ground.write("root/a", "other");
    assert_eq!(plain(&session.await_line("differs")), "differs file[\"/a\"]: content, because /a changed");
    ground.write("root/a", "another");
    session.expect_silence(Duration::from_millis(300));
    assert_eq!(ground.read("root/a"), "another");
    assert_eq!(session.end().0, Some(2));
    let mut fixed = ground.watching(&["--audit"]);
    ground.write("root/a", "one\n");
    assert_eq!(plain(&fixed.await_line("recovered")), "recovered file[\"/a\"], because /a changed");
    assert_eq!(fixed.end().0, Some(0), "what counts is the end");
}

#[test]
fn a_failure_is_reported_once_and_so_is_the_recovery() {
    let site =
        "file \"/none/x\" {\n  content = \"x\"\n}\nlog \"y\" {\n  depends_on = [file[\"/none/x\"]]\n}\n";
    let ground = Ground::with(site);
    let mut session = ground.watching(&[]);
    assert!(session.said.iter().any(|line| line.contains("/none does not exist")), "{:?}", session.said);
    session.expect_silence(Duration::from_millis(1500));
    fs::create_dir(ground.path("root/none")).expect("a folder");
    session.await_line("file[\"/none/x\"]: was missing");
    session.await_line("recovered log.y");
    assert_eq!(ground.read("root/none/x"), "x");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_failure_at_the_end_fails_the_watch() {
    let ground = Ground::with("file \"/none/x\" {}\n");
    let session = ground.watching(&[]);
    let (code, said) = session.end();
    assert_eq!(code, Some(1));
    assert!(said.last().expect("a line").contains("1 failed"), "{said:?}");
}
