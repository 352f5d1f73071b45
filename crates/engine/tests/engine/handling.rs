//! Meta arguments that are checked before the run.

use std::num::NonZeroU32;
use uphold_model::{Action, Guard, GuardCommand, Handling, Lock, Moment, Notification, Term, Value};

use super::expression::{equals, place_at, read, reference};
use super::script::{Script, block, id, note, same};

fn notification(kind: &str, name: &str, action: &str) -> Notification {
    let action = Action::named(action).expect("it is an action");
    Notification { other: reference(&id(kind, name), "", 600), action, moment: Moment::Delayed }
}

fn guarded(condition: Term) -> Handling {
    let guards = vec![Guard {
        condition,
        expected: true,
        command: GuardCommand::default(),
        place: Some(place_at(500)),
    }];
    Handling { guards, ..Handling::default() }
}

fn handled(handling: Handling) -> Script {
    note("/d/a", "12345").and(block(id("bad", "b")).handled(handling))
}

#[track_caller]
fn check(handling: Handling, expected: &str) {
    same(&handled(handling).problems(), expected);
}

#[test]
fn notifications_name_existing_resources_and_actions() {
    let notifies = |kind: &str, name: &str, action: &str| Handling {
        notifies: vec![notification(kind, name, action)],
        ..Handling::default()
    };
    check(notifies("note", "/d/a", "shout"), "");
    check(
        notifies("note", "/d/q", "shout"),
        "@600 unknown resource: note[\"/d/q\"] is notified, but not declared | did you mean note[\"/d/a\"]?",
    );
    check(
        notifies("note", "/d/a", "shuot"),
        "@600 unknown action: `note` has no action `shuot` | did you mean \"shout\"?",
    );
    let subscribes = |name: &str, action: &str| Handling {
        subscribes: vec![notification("note", name, action)],
        ..Handling::default()
    };
    check(subscribes("/d/a", "converge"), "");
    check(
        subscribes("/d/q", "converge"),
        "@600 unknown resource: note[\"/d/q\"] is subscribed to, but not declared | did you mean note[\"/d/a\"]?",
    );
    check(
        subscribes("/d/a", "shout"),
        "@600 unknown action: `bad` has no action `shout` | choose one of converge",
    );
}

#[test]
fn a_guard_is_a_condition_or_a_command() {
    let a = id("note", "/d/a");
    let words = |last: Value| Term::Known(Value::list([Value::text("test"), last]));
    check(guarded(equals(&a, "length", 5)), "");
    check(guarded(read(&a, "text")), "");
    check(guarded(words(Value::text("-f"))), "");
    check(
        guarded(words(Value::Int(1))),
        "@500 invalid guard: `only_if` must be true or false, or a command, not a list | write a condition, a command as a string, or a list of its words",
    );
    check(
        guarded(read(&a, "length")),
        "@500 invalid guard: `only_if` must be true or false, or a command, not a number | write a condition, a command as a string, or a list of its words",
    );
    check(
        guarded(read(&a, "lenght")),
        "@900 unknown property in a reference: a note has no property `lenght` | did you mean `length`?",
    );
    assert_eq!(handled(guarded(read(&a, "text"))).edges(), ["/d/a < b (refers to it)"]);
}

#[test]
fn resources_that_share_a_lock_agree_on_its_capacity() {
    let lock = |most| {
        let most = NonZeroU32::new(most).expect("not zero");
        Handling { locks: vec![Lock { name: "apt".into(), most }], ..Handling::default() }
    };
    let two = |a, b| Script::all([note("/d/a", "x").handled(lock(a)), note("/d/b", "x").handled(lock(b))]);
    same(&two(2, 2).problems(), "");
    same(
        &two(1, 2).problems(),
        "@2 lock with two counts: lock `apt` lets 2 at a time here, and 1 for note[\"/d/a\"] | give it one count everywhere, or another name
        @0 the other count is here",
    );
}
