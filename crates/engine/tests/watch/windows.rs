//! Maintenance windows during a watch: it changes nothing outside, and everything when they open.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uphold_resource::Clock;
use uphold_testkit::MemoryHost;

use super::stage::Stage;

const HOUR: Duration = Duration::from_secs(3600);

/// The settings of a window that opens an hour after the watch starts, and closes an hour later.
fn window() -> String {
    let now = MemoryHost::new().now();
    let clock = |time| {
        let time = Timestamp::try_from(time).unwrap().to_zoned(TimeZone::UTC);
        time.strftime("%H:%M").to_string()
    };
    format!("settings {{\n  window = \"{}-{} UTC\"\n}}\n", clock(now + HOUR), clock(now + 2 * HOUR))
}

fn stage() -> Stage {
    Stage::new().request(|request| request.window_zone = Some(TimeZone::UTC))
}

const NOTES: &str = r#"
    note "/d/a" {
      text = "1"
    }
    note "/d/b" {
      text   = "2"
      always = true
    }"#;

#[test]
fn changes_wait_until_the_window_opens() {
    let transcript =
        stage().pass().then(|scene| scene.host.tamper("/d/a", "x")).watch(&format!("{}{NOTES}", window()));
    assert_eq!(transcript.lines_of("p"), ["p /d/a"], "{:?}", transcript.lines);
    assert_eq!(transcript.lines_of("+ /d/b"), ["+ /d/b"]);
    assert_eq!(transcript.lines_of("+ /d/a"), ["+ /d/a because the maintenance window has opened"]);
    assert!(transcript.elapsed() > HOUR - Duration::from_secs(60) && transcript.elapsed() <= HOUR);
    assert_eq!(transcript.lines_of("~"), ["~ /d/a because /d/a changed"], "it is open");
}

#[test]
fn a_handler_of_a_change_that_was_made_does_not_wait() {
    let text = r#"
        note "/d/a" {
          text     = "1"
          always   = true
          notifies = [note["/d/z"].shout]
        }
        note "/d/z" {
          text   = "4"
          action = "nothing"
        }"#;
    let transcript = stage().then(|_| {}).watch(&format!("{}{text}", window()));
    assert_eq!(transcript.lines_of("! /d/z.shout").len(), 1, "{:?}", transcript.lines);
}

/// The window belongs to the configuration.
#[test]
fn another_configuration_has_another_window() {
    let transcript = stage()
        .then(|scene| _ = scene.swap(NOTES))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|_| {})
        .watch(&format!("{}{NOTES}", window()));
    assert_eq!(transcript.lines_of("p"), ["p /d/a"], "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}
