//! Notifications that outlive a run: the next one delivers them.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::{
    BeginningChange, Engine, Journal, LoadedResource, PendingNotification, Request, VerifiedChange,
};
use uphold_model::{Action, DifferenceCauses, Handling, Moment, ResourceId, Retry};

use super::around::{Count, counting, idle, idle_tool, notifies, tell, telling, tool, with_count};
use super::check::{SharedHost, engine};
use super::pauses::{PAUSED, Paused};
use super::script::{Script, handled_group, id, note, same};

/// A journal in memory, which survives its runs.
#[derive(Default)]
struct MemoryJournal(Mutex<Vec<Due>>);

struct Due {
    notification: PendingNotification,
    of_this_run: bool,
    is_taken_up: bool,
}

impl Journal for MemoryJournal {
    fn pending(&self) -> Vec<PendingNotification> {
        let mut all = self.0.lock().unwrap();
        all.iter_mut().for_each(|due| (due.of_this_run, due.is_taken_up) = (false, false));
        all.iter().map(|due| due.notification.clone()).collect()
    }

    fn begin(&self, beginning: &BeginningChange<'_>) {
        let mut all = self.0.lock().unwrap();
        for (target, action, _) in &beginning.notifies {
            let notification = PendingNotification {
                also: Some(Vec::new()),
                target: target.to_string().into(),
                action: (*action).clone(),
                notifier: beginning.resource.to_string().into(),
                since: SystemTime::UNIX_EPOCH,
            };
            let known = all.iter().any(|due| !due.is_taken_up && due.notification == notification);
            if !known {
                all.push(Due { notification, of_this_run: true, is_taken_up: false });
            }
        }
    }

    fn converged(&self, _: &LoadedResource<'_>) {}

    fn causes(&self, _: &LoadedResource<'_>) -> DifferenceCauses {
        DifferenceCauses::default()
    }

    fn changed(&self, _: &VerifiedChange<'_>) {}

    fn put_back(&self, _: &ResourceId) {}

    fn flush(&self, _: bool) {}

    fn taken_up(&self, target: &ResourceId, action: &Action) {
        let mut all = self.0.lock().unwrap();
        all.iter_mut().filter(|due| due.is(target, action)).for_each(|due| due.is_taken_up = true);
    }

    fn delivered(&self, target: &ResourceId, action: &Action) {
        self.0.lock().unwrap().retain(|due| !(due.is_taken_up && due.is(target, action)));
    }

    fn settle(&self, left: &[(&ResourceId, &Action)]) {
        let is_left = |due: &Due| left.iter().any(|(target, action)| due.is(target, action));
        self.0.lock().unwrap().retain(|due| !due.of_this_run || is_left(due));
    }
}

impl Due {
    fn is(&self, target: &ResourceId, action: &Action) -> bool {
        *self.notification.target == *target.to_string() && self.notification.action == *action
    }
}

/// A machine with a journal.
struct Remembering {
    engine: Engine,
    journal: Arc<MemoryJournal>,
}

impl Remembering {
    fn on(host: &SharedHost) -> Self {
        let journal = Arc::new(MemoryJournal::default());
        Self { engine: engine(host, 1).journal(journal.clone()), journal }
    }

    #[track_caller]
    fn apply(&self, script: Script, expected: &str) {
        same(&script.run_with(&self.engine, Apply), expected);
    }

    /// The targets of pending notifications.
    fn pending(&self) -> Vec<String> {
        let all = self.journal.0.lock().unwrap();
        all.iter().map(|due| due.notification.target.to_string()).collect()
    }
}

/// A note that notifies a tool, whose command is `count`.
fn notifier(moment: Moment) -> Script {
    let sent = tell(&id("tool", "t"), "run", moment);
    let handling = Handling { notifies: [sent].into_iter().collect(), ..Handling::default() };
    Script::all([note("/d/a", "1").handled(handling), idle_tool("t", "count")])
}

#[test]
fn a_failed_handler_stays_pending_until_it_succeeds() {
    for moment in [Moment::Immediately, Moment::Delayed] {
        let (host, count) = counting(&[2, 2, 0]);
        let machine = Remembering::on(&host);
        notifier(moment).run_with(&machine.engine, Apply);
        assert_eq!(machine.pending(), ["tool.t"]);
        let failing = notifier(moment).run_with(&machine.engine, Apply);
        assert!(failing.starts_with("= note[\"/d/a\"]\nx tool.t"), "{failing}");
        assert_eq!(machine.pending(), ["tool.t"]);
        machine.apply(
            notifier(moment),
            "= note[\"/d/a\"]
            ! tool.t.run (pending note[\"/d/a\"])
            1 ok, 1 changed, 0 failed, 0 skipped",
        );
        assert_eq!((machine.pending().len(), count.get()), (0, 3));
        machine.apply(notifier(moment), "= note[\"/d/a\"]\n1 ok, 0 changed, 0 failed, 0 skipped");
    }
}

#[test]
fn a_notification_of_a_paused_handler_stays_pending() {
    for moment in [Moment::Immediately, Moment::Delayed, Moment::OnSuccess] {
        let (host, count) = counting(&[0]);
        let machine = Remembering::on(&host);
        let pauses = Paused { label: "t", until: PAUSED };
        for first in ["+ note[\"/d/a\"] text: nothing -> \"1\"", "= note[\"/d/a\"]"] {
            let request = Request { pauses: Some(&pauses), ..Apply.into() };
            let paused = notifier(moment).run_with(&machine.engine, request);
            assert!(paused.starts_with(&format!("{first}\np tool.t.run")), "{paused}");
            assert_eq!((machine.pending(), count.get()), (vec!["tool.t".to_owned()], 0));
        }
        let resumed = notifier(moment).run_with(&machine.engine, Apply);
        assert!(resumed.contains("! tool.t.run (pending note[\"/d/a\"])"), "{resumed}");
        assert_eq!((machine.pending().len(), count.get()), (0, 1));
    }
}

#[test]
fn a_plan_shows_a_pending_notification_and_leaves_it() {
    let (host, _) = counting(&[2, 0]);
    let machine = Remembering::on(&host);
    notifier(Moment::Delayed).run_with(&machine.engine, Apply);
    let plan = notifier(Moment::Delayed).run_with(&machine.engine, Plan);
    assert!(plan.contains("tool.t.run (pending note[\"/d/a\"])"), "{plan}");
    assert_eq!(machine.pending(), ["tool.t"]);
}

#[test]
fn a_target_that_is_not_declared_stays_pending() {
    let (host, count) = counting(&[2, 0]);
    let machine = Remembering::on(&host);
    notifier(Moment::Delayed).run_with(&machine.engine, Apply);
    machine.apply(note("/d/a", "1"), "= note[\"/d/a\"]\n1 ok, 0 changed, 0 failed, 0 skipped");
    assert_eq!((machine.pending(), count.get()), (vec!["tool.t".to_owned()], 1));
}

/// It failed after its effect: the next run finds it as declared, and delivers its notification.
#[test]
fn a_notifier_that_failed_after_its_effect_is_pending() {
    let (host, _) = counting(&[2]);
    let handling = || notifies(&[("/d/z", Moment::Delayed)]);
    let script =
        || Script::all([tool("t", "test -e /d/t", "touch /d/t && count").handled(handling()), idle("/d/z")]);
    let machine = Remembering::on(&host);
    script().run_with(&machine.engine, Apply);
    assert_eq!(machine.pending(), ["note[\"/d/z\"]"]);
    machine.apply(
        script(),
        "= tool.t
        note[\"/d/z\"] says /d/z!
        ! note[\"/d/z\"].shout (pending tool.t)
        1 ok, 1 changed, 0 failed, 0 skipped",
    );
    assert!(machine.pending().is_empty());
}

#[test]
fn a_retry_after_the_effect_notifies() {
    let (host, _) = counting(&[2]);
    let handling = Handling { retry: Some(Retry::times(1)), ..notifies(&[("/d/z", Moment::Delayed)]) };
    let script =
        Script::all([tool("t", "test -e /d/t", "touch /d/t && count").handled(handling), idle("/d/z")]);
    let transcript = script.run(&host, Apply);
    assert!(transcript.contains("! note[\"/d/z\"].shout (delayed tool.t)"), "{transcript}");
}

#[test]
fn a_notification_that_is_refused_as_its_own_consequence_is_not_pending() {
    let machine = Remembering::on(&SharedHost::new());
    let script = Script::all([
        telling("/d/a", "1", &[("/d/z", Moment::Immediately)]),
        idle("/d/z").handled(notifies(&[("/d/z", Moment::Delayed)])),
    ]);
    script.run_with(&machine.engine, Apply);
    assert!(machine.pending().is_empty(), "{:?}", machine.pending());
}

#[test]
fn a_member_of_a_subscribed_group_that_failed_runs_again() {
    let count = Count::default();
    let host = SharedHost::with(|host| with_count(host, &count, &[2, 0]));
    let machine = Remembering::on(&host);
    let script = || {
        let subscribes = [tell(&id("note", "/d/a"), "converge", Moment::Delayed)].into_iter().collect();
        let handling = Handling { subscribes, ..Handling::default() };
        Script::all([
            note("/d/a", "1"),
            handled_group(handling, [tool("t", "test -e /d/t", "count && touch /d/t")]),
        ])
    };
    let first = script().run_with(&machine.engine, Apply);
    assert!(first.contains("x tool.t"), "{first}");
    assert_eq!(machine.pending(), ["tool.t"]);
    machine.apply(
        script(),
        "= note[\"/d/a\"]
        ~ tool.t.converge (pending note[\"/d/a\"]) done: false -> true
        1 ok, 1 changed, 0 failed, 0 skipped",
    );
    assert!(machine.pending().is_empty());
}
