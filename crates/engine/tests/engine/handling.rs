//! Meta arguments around a visit: checked, but not in force yet.

use uphold_engine::NOT_IN_FORCE;
use uphold_model::{Action, Guard, Handling, Notification, Term, Value};

use crate::check::{SharedHost, engine};
use crate::expression::{equals, place_at, read, reference};
use crate::script::{Script, block, id, note, same};

fn notification(kind: &str, name: &str, action: &str) -> Notification {
    let action = Action::named(action).expect("it is an action");
    Notification { other: reference(&id(kind, name), "", 600), action }
}

fn guarded(condition: Term) -> Handling {
    let guards = vec![Guard { condition, expected: true, place: Some(place_at(500)) }];
    Handling { guards, ..Handling::default() }
}

fn handled(handling: Handling) -> Script {
    note("/d/a", "12345").and(block(id("bad", "b")).handled(handling))
}

/// Without the warning that each of them gets.
#[track_caller]
fn check(handling: Handling, expected: &str) {
    let told = handled(handling).problems();
    let (warnings, told): (Vec<&str>, Vec<&str>) = told.lines().partition(|line| line.contains(NOT_IN_FORCE));
    let warning = "@2 not in force yet: the handling of bad.b is checked, but this version does not act on it | remove it, or wait for a version that does";
    assert_eq!(warnings, [warning]);
    same(&told.join("\n"), expected);
}

#[test]
fn notifications_name_what_is_there_and_what_it_can_do() {
    let notifies = |kind: &str, name: &str, action: &str| Handling {
        notifies: vec![notification(kind, name, action)],
        ..Handling::default()
    };
    check(notifies("note", "/d/a", "shout"), "");
    check(
        notifies("note", "/d/q", "shout"),
        "@600 no such resource: note[\"/d/q\"] is notified, but not declared | did you mean note[\"/d/a\"]?",
    );
    check(
        notifies("note", "/d/a", "shuot"),
        "@600 unknown action: a note cannot shuot | did you mean \"shout\"?",
    );
    let subscribes = |name: &str, action: &str| Handling {
        subscribes: vec![notification("note", name, action)],
        ..Handling::default()
    };
    check(subscribes("/d/a", "converge"), "");
    check(
        subscribes("/d/q", "converge"),
        "@600 no such resource: note[\"/d/q\"] is subscribed to, but not declared | did you mean note[\"/d/a\"]?",
    );
    check(
        subscribes("/d/a", "shout"),
        "@600 unknown action: a bad cannot shout | choose one of converge, nothing",
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
        "@500 invalid guard: `only_if` must be true or false, or a command, not a list | write a condition, a command as text, or a list of its words",
    );
    check(
        guarded(read(&a, "length")),
        "@500 invalid guard: `only_if` must be true or false, or a command, not a number | write a condition, a command as text, or a list of its words",
    );
    check(
        guarded(read(&a, "lenght")),
        "@900 unknown property in a reference: a note has no property `lenght` | did you mean `length`?",
    );
    assert_eq!(handled(guarded(read(&a, "text"))).edges(), ["/d/a < b (refers to it)"]);
}

#[test]
fn what_is_not_acted_upon_is_a_warning_each() {
    let written = vec![("retry".into(), place_at(400)), ("audit".into(), place_at(401))];
    let (program, told) =
        handled(Handling { written, ..Handling::default() }).check(&engine(&SharedHost::new(), 1));
    same(
        &told,
        &format!(
            "@400 {NOT_IN_FORCE}: `retry` is checked, but this version does not act on it | remove it, or wait for a version that does
            @401 {NOT_IN_FORCE}: `audit` is checked, but this version does not act on it | remove it, or wait for a version that does"
        ),
    );
    assert!(program.is_some_and(|program| program.not_in_force()));
    let (plain, _) = note("/d/a", "x").check(&engine(&SharedHost::new(), 1));
    assert!(plain.is_some_and(|program| !program.not_in_force()));
}

#[test]
fn many_warnings_are_cut_short() {
    let written = |_| (0..50).map(|i| ("retry".into(), place_at(i))).collect();
    let blocks = (0..4).map(|i| {
        let handling = Handling { written: written(i), ..Handling::default() };
        block(id("bad", &format!("b{i}"))).handled(handling)
    });
    let told = Script::all(blocks).problems();
    assert_eq!(told.lines().count(), 101);
    assert!(told.contains("100 more are not shown"), "{told}");
}
