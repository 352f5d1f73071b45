//! Nested notifications in a watch: sent while a resource is repaired, alone or in a batch.

use uphold_engine::{Cause, EventKind, Verdict};
use uphold_model::{Action, Moment, ResourceId};
use uphold_resource::{
    AbsolutePath, Act, Batch, Found, Look, NestedNotification, Resource, Result, Step, Want,
};

use super::kinds::{change, text_at};
use super::stage::Stage;
use super::transcript::Transcript;

/// A file that notifies others while it is written, as a nested resource does. Several are written in one batch.
#[derive(Resource)]
#[resource(kind = "sender", batch)]
pub(crate) struct SenderKind {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    /// `KIND NAME ACTION MOMENT`; nothing if empty.
    #[default("")]
    sends: String,
}

impl Resource for SenderKind {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(text_at(&self.path, look)?.map(|text| SenderKindState { text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => change(&self.path, Some(&goal.text), host)?,
            Step::Remove { .. } => change(&self.path, None, host)?,
        }
        self.send(host)
    }
}

impl Batch for SenderKind {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(sender, step)| sender.apply(*step, host)).collect()
    }
}

impl SenderKind {
    fn send(&self, host: &Act<'_>) -> Result<()> {
        let words: Vec<&str> = self.sends.split(' ').collect();
        let [kind, name, action, moment] = words[..] else { return Ok(()) };
        let (id, moment) = (ResourceId::new(kind, name), Moment::named(moment).expect("a moment"));
        let action = Action::named(action).expect("an action");
        let sent = NestedNotification { id: &id, action: &action, moment, tries: false, counts: true };
        assert!(host.around().expect("a run").notify(&sent)?, "{id} is declared");
        Ok(())
    }
}

/// `/d/a` and `/d/b` notify `/d/z` at this moment; then `/d/a` drifts, and then both.
fn watch(moment: &str) -> Transcript {
    let sends = format!(r#"sends = "note /d/z shout {moment}""#);
    let text = format!(
        r#"
        sender "/d/a" {{
          text = "1"
          {sends}
        }}
        sender "/d/b" {{
          text = "2"
          {sends}
        }}
        note "/d/z" {{
          text   = "4"
          action = "nothing"
        }}"#
    );
    Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| {
            scene.host.tamper("/d/a", "y");
            scene.host.tamper("/d/b", "y");
        })
        .then(|_| {})
        .watch(&text)
}

#[track_caller]
fn check(moment: &str, expected: &str) {
    let transcript = watch(moment);
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(transcript.later(), expected);
    assert_eq!(transcript.summary.failed, 0);
}

#[test]
fn an_immediate_one_is_delivered_during_the_repair() {
    check(
        "immediately",
        "-
        ! /d/z.shout (immediately /d/a)
        ~ /d/a because /d/a changed
        -
        together /d/a /d/b
        ! /d/z.shout (immediately /d/a)
        ! /d/z.shout (immediately /d/a)
        ~ /d/a because /d/a changed
        ~ /d/b because /d/b changed
        -",
    );
}

#[test]
fn a_delayed_one_is_delivered_once_after_all_repairs() {
    check(
        "delayed",
        "-
        ~ /d/a because /d/a changed
        ! /d/z.shout (delayed /d/a)
        -
        together /d/a /d/b
        ~ /d/a because /d/a changed
        ~ /d/b because /d/b changed
        ! /d/z.shout (delayed /d/a)
        -",
    );
}

/// The whole batch waits: none of its resources can be the target.
#[test]
fn a_batch_that_notifies_one_of_its_resources_fails() {
    let text = r#"
        sender "/d/a" {
          text  = "1"
          sends = "sender /d/b converge immediately"
        }
        sender "/d/b" { text = "2" }"#;
    let transcript = Stage::new().watch(text);
    let refused = r#"x /d/b (immediately /d/a): sender["/d/b"] waits for it, and is its own consequence"#;
    assert!(transcript.lines.iter().any(|line| line == refused), "{:?}", transcript.lines);
    assert!(transcript.lines.iter().any(|line| line.starts_with("x /d/a")), "{:?}", transcript.lines);
}

/// Woken visits that are suspended, and their target, on several threads: the watch repairs everything, and ends.
#[test]
fn a_watch_with_several_jobs_delivers_each_one() {
    let text = r#"
        sender "/d/a" {
          text  = "1"
          sends = "note /d/z shout immediately"
        }
        sender "/d/b" {
          text       = "2"
          sends      = "note /d/z shout immediately"
          depends_on = [sender["/d/a"]]
        }
        note "/d/z" {
          text   = "4"
          action = "nothing"
        }"#;
    for jobs in [1, 2, 8] {
        let mut repaired = 0;
        let transcript = Stage::new().jobs(jobs).watch_with(text, |event, scene| match &event.kind {
            EventKind::Watching { .. } => {
                scene.host.tamper("/d/a", "x");
                scene.host.tamper("/d/b", "x");
            }
            EventKind::Finished { resource, verdict: Verdict::Changed(_), cause, .. }
                if &*resource.kind == "sender" && *cause != Cause::Written =>
            {
                repaired += 1;
                if repaired == 2 {
                    scene.stop.request();
                }
            }
            _ => {}
        });
        assert_eq!(transcript.count("shout", "/d/z"), 4, "{jobs}: {:?}", transcript.lines);
        assert_eq!(
            (transcript.text("/d/a"), transcript.text("/d/b")),
            (Some("1".into()), Some("2".into())),
            "{jobs}"
        );
    }
}
