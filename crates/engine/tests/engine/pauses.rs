//! Pauses: check and report, change nothing until they expire.

use std::time::{Duration, SystemTime};

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::{Mode, Pause, Pauses, Request};
use uphold_model::{Handling, Moment, ResourceId};
use uphold_resource::Clock;

use super::around::{idle, notifies};
use super::check::SharedHost;
use super::expression::template;
use super::script::{Script, block, declare, id, note, same, trigger};

/// Longer than any test takes.
pub(crate) const PAUSED: Duration = Duration::from_secs(1 << 40);

/// The resources with this label are paused.
#[derive(Debug)]
pub(crate) struct Paused {
    pub(crate) label: &'static str,
    /// The expiry, since 1970.
    pub(crate) until: Duration,
}

impl Pauses for Paused {
    fn of(&self, resource: &ResourceId) -> Option<Pause> {
        let (until, by) = (SystemTime::UNIX_EPOCH + self.until, "ann".to_owned());
        (*resource.name == *self.label).then(|| Pause { until, by, reason: Some("maintenance".to_owned()) })
    }
}

/// One note exists with other content than declared.
fn host() -> SharedHost {
    let host = SharedHost::with(|host| host.file("/d/a", "old", 0o644));
    host.0.forget();
    host
}

fn run(script: Script, host: &SharedHost, mode: Mode) -> String {
    let pauses = Paused { label: "/d/a", until: PAUSED };
    script.run(host, Request { pauses: Some(&pauses), ..mode.into() })
}

const PAUSED_NOTE: &str = r#"p note["/d/a"] text: "old" -> "new""#;

#[test]
fn a_paused_resource_is_checked_and_not_changed() {
    let host = host();
    for mode in [Plan, Apply] {
        same(
            &run(note("/d/a", "new"), &host, mode),
            &format!("{PAUSED_NOTE}\n0 ok, 0 changed, 0 failed, 0 skipped, 1 paused"),
        );
    }
    assert!(host.0.writes().is_empty());
    same(&run(note("/d/a", "old"), &host, Apply), "= note[\"/d/a\"]\n1 ok, 0 changed, 0 failed, 0 skipped");
}

#[test]
fn every_action_of_a_paused_resource_is_paused() {
    let (host, a) = (host(), id("note", "/d/a"));
    let shout = declare(a.clone()).set("text", "new").and(trigger(&a, "remove")).and(trigger(&a, "shout"));
    let transcript = run(shout, &host, Apply);
    assert!(transcript.ends_with("0 ok, 0 changed, 0 failed, 0 skipped, 2 paused\n"), "{transcript}");
    assert!(host.0.writes().is_empty());
}

#[test]
fn dependents_of_a_paused_resource_go_on_with_its_current_values() {
    let host = host();
    let b = block(id("note", "/d/b")).with("text", template(&id("note", "/d/a"), "text"));
    let transcript = run(note("/d/a", "new").and(b), &host, Apply);
    assert!(transcript.ends_with("0 ok, 1 changed, 0 failed, 0 skipped, 1 paused\n"), "{transcript}");
    assert_eq!(host.text("/d/b").as_deref(), Some("it is \"old\""));
}

/// Nothing changed, so nothing is notified.
#[test]
fn a_paused_resource_does_not_notify() {
    for moment in Moment::ALL {
        let notifier = note("/d/a", "new").handled(notifies(&[("/d/z", moment)]));
        let transcript = run(notifier.and(idle("/d/z")), &host(), Apply);
        assert!(!transcript.contains("/d/z"), "{transcript}");
    }
}

#[test]
fn an_audit_reports_a_paused_resource_as_different() {
    let handling = Handling { audit: true, ..Handling::default() };
    let transcript = run(note("/d/a", "new").handled(handling), &host(), Apply);
    assert!(transcript.starts_with("d note"), "{transcript}");
}

#[test]
fn an_expired_pause_is_ignored() {
    let host = host();
    let now = host.0.now().duration_since(SystemTime::UNIX_EPOCH).expect("a time after 1970");
    for (left, expected) in [(Duration::from_millis(1), "p note"), (Duration::ZERO, "~ note")] {
        let pauses = Paused { label: "/d/a", until: now + left };
        let request = Request { pauses: Some(&pauses), ..Plan.into() };
        let transcript = note("/d/a", "new").run(&host, request);
        assert!(transcript.starts_with(expected), "{transcript}");
    }
}
