//! `when`: conditions of a resource, or of one action on it.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{Term, Value};

use super::check::SharedHost;
use super::expression::{attempt, equals, read, secret};
use super::script::{Script, block, declare, id, note, output, same, trigger};

fn when_length_is(length: i64) -> Script {
    note("/d/b", "b").when(equals(&id("note", "/d/a"), "length", length))
}

#[test]
fn a_true_condition_runs_and_a_false_one_skips() {
    let host = SharedHost::new();
    let script =
        || note("/d/a", "12345").and(when_length_is(4)).and(note("/d/c", "c").after(&id("note", "/d/b")));
    same(
        &script().run(&host, Apply),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        o note["/d/b"]
        + note["/d/c"] text: nothing -> "c"
        0 ok, 2 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
    assert_eq!(host.text("/d/b"), None);
    same(
        &note("/d/a", "12345").and(when_length_is(5)).run(&host, Apply),
        r#"
        = note["/d/a"]
        + note["/d/b"] text: nothing -> "b"
        1 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_plan_shows_what_the_condition_waits_for() {
    same(
        &note("/d/a", "12345").set("by_command", true).and(when_length_is(5)).run(&SharedHost::new(), Plan),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        ? note["/d/b"] waits for note["/d/a"].length
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn each_action_can_have_its_own_condition() {
    let a = id("note", "/d/a");
    let script = declare(a.clone())
        .set("text", "12345")
        .and(trigger(&a, "converge"))
        .and(trigger(&a, "shout").when(Term::Known(Value::Bool(false))))
        .and(note("/d/b", "b").with("beside", attempt(&a, "path", "/d/never")));
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        o note["/d/a"]
        + note["/d/b"] text: nothing -> "b"
        0 ok, 2 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

#[test]
fn reading_a_skipped_resource_is_an_error_that_can_be_caught() {
    let b = id("note", "/d/b");
    let script = Script::all([
        note("/d/a", "12345"),
        when_length_is(4),
        block(id("note", "/d/c")).with("text", read(&b, "text")),
        block(id("note", "/d/e")).with("text", attempt(&b, "text", "instead")),
    ]);
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        o note["/d/b"]
        x note["/d/c"] note["/d/b"].text cannot be read: note["/d/b"] is skipped, because its `when` is false [] give what reads it the same condition, or a value of its own: try(…, …)
        + note["/d/e"] text: nothing -> "instead"
        0 ok, 2 changed, 1 failed, 0 skipped, 1 not wanted"#,
    );
}

#[test]
fn a_condition_must_be_a_bool() {
    let a = || note("/d/a", "12345");
    let check = |when: Term, expected: &str| {
        let script = a().and(note("/d/b", "b").when(when));
        same(&script.problems(), expected);
    };
    let length = || read(&id("note", "/d/a"), "length");
    check(
        length(),
        "@900 condition is not a bool: `when` must be true or false, not a number | compare it with something: `when = … == …`",
    );
    check(
        Term::Known(Value::text("yes")),
        "@2 condition is not a bool: `when` must be true or false, not a string | compare it with something: `when = … == …`",
    );
    check(
        Term::Known(Value::text("hunter2").sensitive()),
        "@2 condition is not a bool: `when` must be true or false | compare it with something: `when = … == …`",
    );
    check(
        read(&id("note", "/d/q"), "length"),
        "@900 unknown resource: note[\"/d/q\"] is referred to, but not declared | did you mean note[\"/d/a\"]?",
    );
}

/// The type is only known in the run: the member of a value of any type.
#[test]
fn a_condition_of_another_type_fails_and_shows_no_secret() {
    let a = id("note", "/d/a");
    let check = |when: Term, expected: &str| {
        let script = note("/d/a", "12345").set("secret", "hunter2").and(note("/d/b", "b").when(when));
        let transcript = script.run(&SharedHost::new(), Apply);
        assert!(transcript.contains(expected) && !transcript.contains("hunter2"), "{transcript}");
    };
    check(read(&a, "secret"), "x note[\"/d/b\"] `when` must be true or false []");
    check(secret(&a, "text"), "`when` must be true or false");
}

/// Two resources whose conditions exclude each other can have the same path.
#[test]
fn alternatives_can_have_the_same_path() {
    let a = id("note", "/d/a");
    let other = |name: &str, length: i64| {
        block(id("note", name)).set("path", "/d/one").set("text", name).when(equals(&a, "length", length))
    };
    let host = SharedHost::new();
    let script = note("/d/a", "12345").and(other("x", 4)).and(other("y", 5));
    same(
        &script.run(&host, Apply),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        o note.x
        + note.y text: nothing -> "y"
        0 ok, 2 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
    assert_eq!(host.text("/d/one").as_deref(), Some("y"));
}

/// A name is known before the run, so the condition is, too.
#[test]
fn a_certainly_skipped_resource_provides_nothing() {
    let a = id("note", "/d/a");
    let never = block(id("folder", "/d/x")).when(equals(&a, "path", "/d/other"));
    let script = note("/d/a", "a").and(never).and(note("/d/x/n", "n"));
    assert_eq!(script.edges(), ["/d/a < /d/x (refers to it)"]);
}

#[test]
fn an_output_can_read_a_skipped_resource_only_with_try() {
    let b = id("note", "/d/b");
    let script = Script::all([
        note("/d/a", "12345"),
        when_length_is(4),
        output("caught", attempt(&b, "text", "none")),
        output("wrong", read(&b, "text")),
    ]);
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        o note["/d/b"]
        caught = "none"
        x wrong: note["/d/b"].text cannot be read: note["/d/b"] is skipped, because its `when` is false
        0 ok, 1 changed, 1 failed, 0 skipped, 1 not wanted"#,
    );
}
