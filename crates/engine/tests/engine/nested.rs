//! Notifications that are sent while a visit acts: by nested resources.

use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};

use uphold_engine::EventKind;
use uphold_engine::Mode::Apply;
use uphold_model::Moment::Delayed;
use uphold_model::{Handling, Lock};

use super::around::tell;
use super::relay::{Detector, idle_relay, locked, relay};
use super::script::{Script, id, same};

fn lock(name: &str) -> Lock {
    Lock { name: name.into(), most: NonZeroU32::MIN }
}

/// What happened, and in which order relays rang, with one job.
fn run(script: Script) -> (String, String) {
    let detector = Detector::default();
    let transcript = script.run_with(&detector.engine(1, &[]), Apply);
    let seen = detector.seen();
    assert_eq!(seen.complaints, Vec::<String>::new());
    (transcript, seen.rings.join(" "))
}

#[test]
fn a_target_rings_while_its_sender_waits() {
    let (transcript, rings) = run(relay("a", "t immediately").and(relay("b", "")).and(idle_relay("t", "")));
    assert_eq!(rings, "a t b");
    same(
        &transcript,
        "! relay.t.ring (immediately relay.a)
        ! relay.a
        ! relay.b
        0 ok, 3 changed, 0 failed, 0 skipped",
    );
}

#[test]
fn a_delayed_target_rings_once_at_the_end() {
    let senders = relay("a", "t delayed t on_success").and(relay("b", "t delayed"));
    let (transcript, rings) = run(senders.and(idle_relay("t", "")));
    assert_eq!(rings, "a b t");
    assert!(transcript.contains("! relay.t.ring (delayed relay.a and relay.b)"), "{transcript}");
}

/// Declarations of the target apply to a nested notification, too: its own notifications, and its failure.
#[test]
fn a_target_is_a_resource_like_any_other() {
    let notifies =
        Handling { notifies: vec![tell(&id("relay", "u"), "ring", Delayed)], ..Handling::default() };
    let target = idle_relay("t", "").handled(notifies).and(idle_relay("u", ""));
    let (transcript, rings) = run(relay("a", "t immediately").and(relay("b", "")).and(target));
    assert_eq!(rings, "a t b u", "{transcript}");
}

/// Two senders, and others with the lock of the target: no two of them at a time.
#[test]
fn a_locked_target_is_never_visited_twice_at_a_time() {
    for jobs in [1, 2, 8] {
        let (detector, locks) = (Detector::default(), [lock("x")]);
        let senders = ["a", "b", "c"].map(|name| relay(name, "t immediately"));
        let others = ["d", "e"].map(|name| locked(relay(name, ""), &locks));
        let script = Script::all(senders).and(Script::all(others)).and(locked(idle_relay("t", ""), &locks));
        let held: [(&str, &[Lock]); 3] = [("d", &locks), ("e", &locks), ("t", &locks)];
        let transcript = script.run_with(&detector.engine(jobs, &held), Apply);
        assert!(transcript.contains("8 changed, 0 failed"), "{jobs}: {transcript}");
        let seen = detector.seen();
        assert_eq!(seen.complaints, Vec::<String>::new(), "{jobs}");
        assert_eq!(seen.rings.iter().filter(|name| *name == "t").count(), 3, "{jobs}");
    }
}

/// The resource itself is locked as well: its declared action and the notified one do not overlap.
#[test]
fn a_target_waits_for_its_own_declared_action() {
    for jobs in [1, 2, 8] {
        let detector = Detector::default();
        let script = relay("t", "").and(relay("a", "t immediately")).and(relay("b", "t immediately"));
        let transcript = script.run_with(&detector.engine(jobs, &[]), Apply);
        assert!(transcript.contains("5 changed, 0 failed"), "{jobs}: {transcript}");
        assert_eq!(detector.seen().complaints, Vec::<String>::new(), "{jobs}");
    }
}

/// A target can need a lock that its sender holds: the sender does nothing meanwhile.
#[test]
fn a_target_borrows_the_locks_of_its_sender() {
    for jobs in [1, 2, 8] {
        let (detector, locks) = (Detector::default(), [lock("x")]);
        let script = locked(relay("a", "t immediately"), &locks)
            .and(locked(relay("b", "t immediately"), &locks))
            .and(locked(idle_relay("t", ""), &locks));
        let held: [(&str, &[Lock]); 3] = [("a", &locks), ("b", &locks), ("t", &locks)];
        let transcript = script.run_with(&detector.engine(jobs, &held), Apply);
        assert!(transcript.contains("4 changed, 0 failed"), "{jobs}: {transcript}");
        assert_eq!(detector.seen().complaints, Vec::<String>::new(), "{jobs}");
    }
}

#[test]
fn a_notification_of_a_sender_that_waits_fails() {
    let (transcript, rings) = run(relay("a", "b immediately").and(idle_relay("b", "a immediately")));
    assert_eq!(rings, "a b");
    let hint = "notify it delayed: then it runs when the other is over";
    assert!(
        transcript.contains(
            "x relay.a.ring (immediately relay.b) relay.a waits for it, and is its own consequence"
        ),
        "{transcript}"
    );
    assert!(
        transcript.contains(hint) && transcript.contains("x relay.b.ring (immediately relay.a)"),
        "{transcript}"
    );
    assert!(transcript.contains("0 changed, 3 failed"), "{transcript}");
    let (transcript, rings) = run(relay("a", "a immediately"));
    assert_eq!(rings, "a");
    assert!(transcript.contains(hint) && transcript.contains("2 failed"), "{transcript}");
    let (transcript, rings) = run(relay("a", "b immediately").and(idle_relay("b", "a delayed")));
    assert_eq!(rings, "a b a", "the hint helps: {transcript}");
    assert!(transcript.contains("3 changed, 0 failed"), "{transcript}");
}

/// Two that notify each other at the same time: one is refused, and the other continues.
#[test]
fn two_senders_that_wait_for_each_other_do_not_hang() {
    for jobs in [1, 2, 8] {
        for _ in 0..20 {
            let detector = Detector::default();
            let script = relay("a", "b immediately").set("catches", true);
            let script = script.and(relay("b", "a immediately").set("catches", true));
            script.run_with(&detector.engine(jobs, &[]), Apply);
            assert_eq!(detector.seen().complaints, Vec::<String>::new(), "{jobs}");
        }
    }
}

/// A dependency of the target waits for the sender, which waits for the target.
#[test]
fn a_target_goes_before_dependencies_that_wait_for_its_sender() {
    let notifies =
        Handling { notifies: vec![tell(&id("relay", "t"), "ring", Delayed)], ..Handling::default() };
    let script = relay("a", "t immediately")
        .and(relay("b", "").after(&id("relay", "a")))
        .and(relay("t", "").after(&id("relay", "b")))
        .and(relay("z", "").handled(notifies));
    let (transcript, rings) = run(script);
    assert!(transcript.contains("0 failed"), "{transcript}");
    assert!(rings.starts_with("a "), "{rings}");
}

/// If the reader of events panics while a sender waits, the run ends with that panic.
#[test]
fn a_panic_of_the_reader_is_not_a_failure_of_the_visit() {
    for jobs in [1, 2] {
        let engine = Detector::default().engine(jobs, &[]);
        let script = relay("a", "t immediately").set("catches", true).and(idle_relay("t", ""));
        let (program, _) = script.check(&engine);
        let program = program.expect("it is valid");
        let run = || {
            engine.run(&program, Apply, &mut |event| {
                let is_target = |name: &str| name == "t";
                if let EventKind::Finished { resource, .. } = &event.kind {
                    assert!(!is_target(&resource.name), "the reader has enough");
                }
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{jobs}");
    }
}
