//! Pauses during a watch: resources are checked again when they end.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use uphold_engine::{Pause, Pauses};
use uphold_model::ResourceId;
use uphold_resource::Clock;

use super::stage::{Scene, Stage};

/// Paused resources, by label, and the expiry of their pauses.
#[derive(Clone, Debug, Default)]
struct Paused(Arc<Mutex<Vec<(&'static str, SystemTime)>>>);

impl Pauses for Paused {
    fn of(&self, resource: &ResourceId) -> Option<Pause> {
        let all = self.0.lock().unwrap();
        let (_, until) = all.iter().find(|(label, _)| **label == *resource.name)?;
        Some(Pause { until: *until, by: "ann".to_owned(), reason: None })
    }
}

impl Paused {
    fn pause(&self, label: &'static str, span: Duration, scene: &Scene<'_>) {
        self.0.lock().unwrap().push((label, scene.host.now() + span));
        scene.control.pauses_changed();
    }

    fn resume(&self, label: &'static str, scene: &Scene<'_>) {
        self.0.lock().unwrap().retain(|(paused, _)| *paused != label);
        scene.control.pauses_changed();
    }

    fn stage(&self) -> Stage {
        let pauses = self.clone();
        Stage::new().request(|request| request.pauses = Some(Arc::new(pauses)))
    }
}

const HOUR: Duration = Duration::from_secs(3600);

const NOTES: &str = r#"
    note "/d/a" {
      text = "1"
    }
    note "/d/b" {
      text       = "2"
      depends_on = [note["/d/a"]]
    }"#;

/// Steps that need the pauses.
macro_rules! step {
    ($pauses:ident, |$scene:ident| $body:expr) => {{
        let $pauses = $pauses.clone();
        move |$scene: &Scene<'_>| {
            $body;
        }
    }};
}

#[test]
fn drift_of_a_paused_resource_is_repaired_when_it_is_resumed() {
    let pauses = Paused::default();
    let transcript = pauses
        .stage()
        .then(step!(pauses, |scene| pauses.pause("/d/a", HOUR, scene)))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(step!(pauses, |scene| pauses.resume("/d/a", scene)))
        .then(|_| {})
        .watch(NOTES);
    let expected = [
        "-",
        "-",
        "p /d/a because /d/a changed",
        "-",
        "~ /d/b because /d/b changed",
        "-",
        "~ /d/a because its pause has ended",
        "-",
    ];
    assert_eq!(transcript.later(), expected);
    assert_eq!((transcript.text("/d/a").as_deref(), transcript.summary.failed), (Some("1"), 0));
}

#[test]
fn a_pause_ends_at_its_expiry() {
    let pauses = Paused::default();
    let transcript = pauses
        .stage()
        .then(step!(pauses, |scene| pauses.pause("/d/a", HOUR, scene)))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .pass()
        .then(|_| {})
        .watch(NOTES);
    let expected = ["-", "-", "p /d/a because /d/a changed", "-", "~ /d/a because its pause has ended", "-"];
    assert_eq!(transcript.later(), expected);
    assert_eq!(transcript.elapsed(), HOUR);
}

#[test]
fn a_longer_pause_replaces_the_shorter_one() {
    let pauses = Paused::default();
    let transcript = pauses
        .stage()
        .then(step!(pauses, |scene| pauses.pause("/d/a", HOUR, scene)))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(step!(pauses, |scene| {
            pauses.resume("/d/a", scene);
            pauses.pause("/d/a", 2 * HOUR, scene);
        }))
        .pass()
        .then(|_| {})
        .watch(NOTES);
    assert_eq!(transcript.lines_of("~"), ["~ /d/a because its pause has ended"]);
    assert_eq!(transcript.elapsed(), 2 * HOUR);
}

/// A resource that was never applied is applied when it is resumed, also after another configuration came into force.
#[test]
fn a_resource_that_is_paused_from_the_start_is_applied_when_it_is_resumed() {
    let pauses = Paused::default();
    let later = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40);
    pauses.0.lock().unwrap().push(("/d/a", later));
    let transcript = pauses
        .stage()
        .then(|scene| _ = scene.swap(&format!("{NOTES}\n note \"/d/c\" {{ text = \"3\" }}")))
        .then(step!(pauses, |scene| pauses.resume("/d/a", scene)))
        .then(|_| {})
        .watch(NOTES);
    assert_eq!(transcript.lines_of("p"), ["p /d/a", "p /d/a"]);
    assert_eq!(transcript.lines_of("+ /d/a"), ["+ /d/a because its pause has ended"]);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"));
}

#[test]
fn a_paused_handler_runs_when_it_is_resumed() {
    for (moment, runs) in [("immediately", 1), ("delayed", 1), ("before", 0)] {
        let pauses = Paused::default();
        let text = format!(
            r#"
            note "/d/a" {{
              text     = "1"
              notifies = {{ {moment} = [note["/d/z"].shout] }}
            }}
            note "/d/z" {{
              text   = "4"
              action = "nothing"
            }}"#
        );
        let transcript = pauses
            .stage()
            .then(step!(pauses, |scene| pauses.pause("/d/z", HOUR, scene)))
            .then(|scene| scene.host.tamper("/d/a", "x"))
            .then(|scene| scene.host.tamper("/d/a", "y"))
            .then(step!(pauses, |scene| pauses.resume("/d/z", scene)))
            .then(|_| {})
            .watch(&text);
        assert_eq!(transcript.lines_of("~ /d/a").len(), 2, "{:?}", transcript.lines);
        assert_eq!(transcript.lines_of("p /d/z.shout").len(), 2, "{:?}", transcript.lines);
        let after =
            transcript.lines.iter().rposition(|line| line.starts_with("p /d/z")).expect("it was paused");
        let ran = transcript.lines[after..].iter().filter(|line| line.starts_with("! /d/z.shout")).count();
        assert_eq!(ran, runs, "{moment}: {:?}", transcript.lines);
        assert_eq!(transcript.summary.failed, 0);
    }
}
