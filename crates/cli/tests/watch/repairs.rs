//! Drift is repaired and reported.

use std::fs;
use std::time::Duration;

use super::session::Sandbox;

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\nfile \"/b\" {\n  content = \"two\\n\"\n}\n";

/// A line without its time and duration.
fn plain(line: &str) -> &str {
    let line = line.split_once(' ').map_or(line, |(_, rest)| rest);
    line.rsplit_once(" (").map_or(line, |(before, _)| before)
}

#[test]
fn drift_is_repaired_and_reported_with_its_reason() {
    let sandbox = Sandbox::with(SITE);
    let mut session = sandbox.watching(&[]);
    assert!(session.printed.iter().any(|line| line.starts_with("Applied: 2 added")), "{:?}", session.printed);
    sandbox.write("root/a", "other");
    let line = session.await_line("repaired");
    assert_eq!(plain(&line), "repaired file[\"/a\"]: content, because /a changed");
    assert_eq!(sandbox.read("root/a"), "one\n");
    assert!(line.as_bytes()[2] == b':' && line.as_bytes()[5] == b':', "it begins with the time: {line}");
    fs::remove_file(sandbox.path("root/b")).expect("it existed");
    assert_eq!(
        plain(&session.await_line("repaired")),
        "repaired file[\"/b\"]: was missing, because /b changed"
    );
    let (code, printed) = session.end();
    assert_eq!(code, Some(0));
    let last = printed.last().expect("a line");
    assert!(last.contains(": 2 repaired, everything is as declared"), "{last}");
}

#[test]
fn unchanged_resources_are_not_reported() {
    let sandbox = Sandbox::with(SITE);
    let mut session = sandbox.watching(&[]);
    // The same content, so that a check finds no difference.
    sandbox.write("root/a", "one\n");
    session.expect_silence(Duration::from_millis(400));
}

#[test]
fn verbose_shows_the_difference() {
    let sandbox = Sandbox::with(SITE);
    let mut session = sandbox.watching(&["--verbose"]);
    sandbox.write("root/a", "other\n");
    session.await_line("repaired");
    session.await_line("- other");
}

#[test]
fn an_audit_changes_nothing_and_ends_with_two() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("root/a", "one\n");
    sandbox.write("root/b", "two\n");
    let mut session = sandbox.watching(&["--audit"]);
    sandbox.write("root/a", "other");
    assert_eq!(plain(&session.await_line("differs")), "differs file[\"/a\"]: content, because /a changed");
    sandbox.write("root/a", "another");
    session.expect_silence(Duration::from_millis(300));
    assert_eq!(sandbox.read("root/a"), "another");
    assert_eq!(session.end().0, Some(2));
    let mut fixed = sandbox.watching(&["--audit"]);
    sandbox.write("root/a", "one\n");
    assert_eq!(plain(&fixed.await_line("recovered")), "recovered file[\"/a\"], because /a changed");
    assert_eq!(fixed.end().0, Some(0), "what counts is the end");
}

#[test]
fn a_failure_is_reported_once_and_so_is_the_recovery() {
    let site =
        "file \"/none/x\" {\n  content = \"x\"\n}\nlog \"y\" {\n  depends_on = [file[\"/none/x\"]]\n}\n";
    let sandbox = Sandbox::with(site);
    let mut session = sandbox.watching(&[]);
    assert!(
        session.printed.iter().any(|line| line.contains("/none does not exist")),
        "{:?}",
        session.printed
    );
    session.expect_silence(Duration::from_millis(1500));
    fs::create_dir(sandbox.path("root/none")).expect("a folder");
    session.await_line("file[\"/none/x\"]: was missing");
    session.await_line("recovered log.y");
    assert_eq!(sandbox.read("root/none/x"), "x");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_failure_at_the_end_fails_the_watch() {
    let sandbox = Sandbox::with("file \"/none/x\" {}\n");
    let session = sandbox.watching(&[]);
    let (code, printed) = session.end();
    assert_eq!(code, Some(1));
    assert!(printed.last().expect("a line").contains("1 failed"), "{printed:?}");
}
