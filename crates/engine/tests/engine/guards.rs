//! Guards of resources and of groups.

use std::time::Duration;
use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::Request;

use uphold_model::{Handling, NotUntil, Value};

use super::around::{counting, guard, guard_of, guarded, not_if, only_if};
use super::check::{SharedHost, engine, print_run};
use super::expression::{equals, read};
use super::script::{Script, block, handled_group, id, note, parallel, same, sequence};

#[track_caller]
fn check(script: Script, expected: &str) {
    same(&script.run(&SharedHost::new(), Apply), expected);
}

#[test]
fn a_guard_can_read_other_resources() {
    let a = id("note", "/d/a");
    let when = |length: i64| guarded([guard_of(true, equals(&a, "length", length))]);
    check(
        Script::all([
            note("/d/b", "1").handled(when(5)),
            note("/d/c", "2").handled(when(4)),
            note("/d/a", "12345"),
        ]),
        r#"+ note["/d/a"] text: nothing -> "12345"
        + note["/d/b"] text: nothing -> "1"
        o note["/d/c"] only_if
        0 ok, 2 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

/// The type is only known in the run: a property that can be a string or nothing.
#[test]
fn a_guard_of_another_type_fails() {
    let b = note("/d/b", "1").handled(guarded([guard_of(true, read(&id("note", "/d/a"), "secret"))]));
    let transcript = note("/d/a", "1").and(b).run(&SharedHost::new(), Apply);
    assert!(
        transcript.contains("x note[\"/d/b\"] `only_if` must be true or false, or a command"),
        "{transcript}"
    );
}

#[test]
fn a_command_that_cannot_be_started_is_a_failure() {
    let words = Value::list([Value::text("no-such-program")]);
    check(
        note("/d/a", "1").handled(only_if(words)),
        r#"x note["/d/a"] cannot run no-such-program: it does not exist []
        0 ok, 0 changed, 1 failed, 0 skipped"#,
    );
}

/// It is evaluated when its resource is visited, not when the run begins.
#[test]
fn a_guard_sees_earlier_changes() {
    let b = note("/d/b", "1").handled(only_if("test -e /d/a")).after(&id("note", "/d/a"));
    let c = note("/d/c", "1").handled(not_if("test -e /d/a")).after(&id("note", "/d/a"));
    check(
        Script::all([b, c, note("/d/a", "1")]),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "1"
        o note["/d/c"] not_if test -e /d/a
        0 ok, 2 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

/// The machine is not yet as it will be then.
#[test]
fn in_a_plan_the_result_of_a_command_after_a_change_is_uncertain() {
    let script = || {
        let b = note("/d/b", "1").handled(only_if("test -e /d/a")).after(&id("note", "/d/a"));
        note("/d/a", "1").and(b)
    };
    let host = SharedHost::new();
    same(
        &script().run(&host, Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ? note["/d/b"] waits for note["/d/a"]
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    note("/d/a", "1").run(&host, Apply);
    same(
        &script().run(&host, Plan),
        r#"= note["/d/a"]
        + note["/d/b"] text: nothing -> "1"
        1 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn the_guard_of_a_group_is_evaluated_once() {
    for (status, expected) in [(&[0, 1][..], "0 ok, 3 changed"), (&[1, 0][..], "0 ok, 0 changed")] {
        for jobs in [1, 8] {
            let (host, count) = counting(status);
            let members = [note("/d/a", "1"), parallel([note("/d/b", "2")]), note("/d/c", "3")];
            let engine = engine(&host, jobs);
            let transcript = handled_group(only_if("count"), members).run_with(&engine, Apply);
            assert!(transcript.contains(expected), "{transcript}");
            assert_eq!(count.get(), 1, "{transcript}");
        }
    }
}

#[test]
fn a_skip_by_a_group_shows_the_group() {
    check(
        handled_group(not_if("true"), [note("/d/a", "1")]).and(note("/d/b", "2").after(&id("note", "/d/a"))),
        r#"o note["/d/a"] not_if of its group true
        + note["/d/b"] text: nothing -> "2"
        0 ok, 1 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

#[test]
fn outer_groups_are_evaluated_first_then_inner_ones_then_the_resource() {
    let (host, count) = counting(&[0]);
    let guarded_note = note("/d/a", "1").handled(only_if("count"));
    let inner = handled_group(only_if("count"), [guarded_note]);
    let transcript = handled_group(only_if("false"), [inner.clone()]).run(&host, Apply);
    assert!(transcript.contains("only_if of its group false"), "{transcript}");
    assert_eq!(count.get(), 0);
    handled_group(only_if("true"), [inner]).run(&host, Apply);
    assert_eq!(count.get(), 2);
}

/// It is evaluated when the first member is visited.
#[test]
fn the_guard_of_a_group_sees_earlier_changes() {
    let group = handled_group(only_if("test -e /d/a"), [note("/d/b", "1"), note("/d/c", "1")]);
    let script = sequence([note("/d/a", "1"), group]);
    let host = SharedHost::new();
    let planned = script.clone().run(&host, Plan);
    assert!(planned.contains("? note[\"/d/b\"] waits for note[\"/d/a\"]"), "{planned}");
    assert!(planned.contains("? note[\"/d/c\"] waits for note[\"/d/a\"]"), "{planned}");
    assert!(script.run(&host, Apply).contains("0 ok, 3 changed"));
}

#[test]
fn resources_that_the_guard_of_a_group_reads_come_before_all_members() {
    let a = id("note", "/d/a");
    let group = handled_group(
        guarded([guard_of(true, equals(&a, "length", 1))]),
        [note("/d/b", "1"), note("/d/c", "1")],
    );
    let script = group.and(note("/d/a", "1"));
    assert_eq!(script.clone().edges(), ["/d/a < /d/b (refers to it)", "/d/a < /d/c (refers to it)"]);
    assert!(script.run(&SharedHost::new(), Apply).contains("0 ok, 3 changed"));
}

#[test]
fn a_guard_of_a_group_that_cannot_be_evaluated_fails_every_member() {
    let words = Value::list([Value::text("no-such-program")]);
    let transcript =
        handled_group(only_if(words), [note("/d/a", "1"), note("/d/b", "1")]).run(&SharedHost::new(), Apply);
    assert_eq!(transcript.matches("cannot run no-such-program").count(), 2, "{transcript}");
}

/// Results of one run are not used in the next.
#[test]
fn a_program_that_runs_again_evaluates_guards_again() {
    let (host, count) = counting(&[1, 0]);
    let engine = engine(&host, 1);
    let (program, transcript) = handled_group(only_if("count"), [note("/d/a", "1")]).check(&engine);
    let program = program.unwrap_or_else(|| panic!("{transcript}"));
    assert!(print_run(&engine, &program, Apply).contains("1 not wanted"));
    assert!(print_run(&engine, &program, Apply).contains("1 changed"));
    assert_eq!(count.get(), 2);
}

/// A skipped resource has no values, and blocks no dependents.
#[test]
fn all_guards_must_hold() {
    let guards = || [guard(true, "true"), guard(true, true), guard(false, "false")];
    check(
        note("/d/a", "1").handled(guarded(guards())),
        "+ note[\"/d/a\"] text: nothing -> \"1\"\n0 ok, 1 changed, 0 failed, 0 skipped",
    );
    for refusing in [guard(true, false), guard(false, "true")] {
        let all = guards().into_iter().chain([refusing]);
        let transcript = note("/d/a", "1").handled(guarded(all)).run(&SharedHost::new(), Apply);
        assert!(transcript.contains("1 not wanted"), "{transcript}");
    }
}

#[test]
fn an_audit_evaluates_guards_on_the_current_machine() {
    let b = note("/d/b", "1").handled(only_if("test -e /d/a")).after(&id("note", "/d/a"));
    let request = Request { audit: true, ..Plan.into() };
    same(
        &note("/d/a", "1").and(b).run(&SharedHost::new(), request),
        r#"d note["/d/a"] text: nothing -> "1"
        o note["/d/b"] only_if test -e /d/a
        0 ok, 0 changed, 0 failed, 0 skipped, 1 differ, 1 not wanted"#,
    );
}

/// Neither the text of a secret command, nor messages of the machine about it.
#[test]
fn a_secret_command_is_hidden() {
    let secret = || Value::text("hunter2").sensitive();
    let check = |condition: Value, sign: &str| {
        for group in [false, true] {
            let one = || note("/d/a", "1");
            let script = match group {
                true => handled_group(only_if(condition.clone()), [one(), note("/d/b", "1")]),
                false => one().handled(only_if(condition.clone())),
            };
            let transcript = script.run(&SharedHost::new(), Apply);
            assert!(transcript.contains(sign) && !transcript.contains("hunter2"), "{transcript}");
        }
    };
    let shell = |last: Value| Value::list([Value::text("sh"), Value::text("-c"), last]);
    check(secret(), "x note");
    check(Value::text("test hunter2 = x").sensitive(), "o note");
    check(Value::list([secret()]), "x note");
    check(Value::list([secret()]).sensitive(), "x note");
    check(shell(secret()), "x note");
    check(Value::list([Value::text("nowhere"), secret()]), "x note");
    let wait = NotUntil { guard: guard(true, shell(secret())), every: Duration::from_secs(9) };
    let handling =
        Handling { not_until: Some(wait), timeout: Some(Duration::from_secs(20)), ..Handling::default() };
    let transcript = note("/d/a", "1").handled(handling).run(&SharedHost::new(), Apply);
    assert!(transcript.contains("waits: its `not_until`") && !transcript.contains("hunter2"), "{transcript}");
}

#[test]
fn reading_a_skipped_resource_shows_the_guard() {
    let reader = || block(id("note", "/d/b")).with("text", read(&id("note", "/d/a"), "text"));
    let transcript = note("/d/a", "1").handled(not_if(true)).and(reader()).run(&SharedHost::new(), Apply);
    assert!(transcript.contains("note[\"/d/a\"] is skipped, because its guard refuses"), "{transcript}");
    let group = handled_group(not_if(true), [note("/d/a", "1")]);
    let transcript = group.and(reader()).run(&SharedHost::new(), Apply);
    assert!(
        transcript.contains("note[\"/d/a\"] is skipped, because the guard of its group refuses"),
        "{transcript}"
    );
}

#[test]
fn a_command_that_the_shell_cannot_run_is_a_failure() {
    let failing = |handling: Handling, word: &str, status: i32, why: &str| {
        check(
            note("/d/a", "1").handled(handling),
            &format!(
                "x note[\"/d/a\"] the command of `{word}` ended with status {status}: {why} [] \
                 correct it; `command -v NAME` asks whether there is a program\n\
                 0 ok, 0 changed, 1 failed, 0 skipped"
            ),
        );
    };
    failing(only_if("exit 127"), "only_if", 127, "there is no such command");
    failing(not_if("exit 126"), "not_if", 126, "the command cannot be executed");
}
