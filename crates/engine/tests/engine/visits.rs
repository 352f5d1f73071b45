//! Single visits.

use uphold_engine::Mode::{Apply, Plan};

use super::check::{SharedHost, engine, print_run};
use super::reading::{program, run};

#[track_caller]
fn check(host: &SharedHost, mode: uphold_engine::Mode, text: &str, expected: &str) {
    let transcript = run(host, mode, 1, text);
    let unindent = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(unindent(&transcript), unindent(expected));
}

#[test]
fn a_plan_changes_nothing_and_apply_makes_the_planned_changes() {
    let host = SharedHost::new();
    let text = r#"note "/d/a" { text = "one" }"#;
    let expected = r#"
        + note["/d/a"] text: nothing -> "one"
        0 ok, 1 changed, 0 failed, 0 skipped"#;
    check(&host, Plan, text, expected);
    assert!(host.0.writes().is_empty());
    check(&host, Apply, text, expected);
    assert_eq!(host.text("/d/a").as_deref(), Some("one"));
    check(&host, Apply, text, "= note[\"/d/a\"]\n1 ok, 0 changed, 0 failed, 0 skipped");
    check(
        &host,
        Plan,
        r#"note "/d/a" { text = "two" }"#,
        r#"
        ~ note["/d/a"] text: "one" -> "two"
        0 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn removing_is_a_change_once() {
    let host = SharedHost::new();
    run(&host, Apply, 1, r#"note "/d/a" { text = "one" }"#);
    let text = "note \"/d/a\" {\n action = \"remove\"\n}";
    check(
        &host,
        Apply,
        text,
        "- note[\"/d/a\"] text: \"one\" -> nothing\n0 ok, 1 changed, 0 failed, 0 skipped",
    );
    check(&host, Apply, text, "= note[\"/d/a\"]\n1 ok, 0 changed, 0 failed, 0 skipped");
}

#[test]
fn action_nothing_is_not_run() {
    let host = SharedHost::new();
    let text = "note \"/d/a\" {\n text = \"x\"\n action = \"nothing\"\n}";
    check(&host, Apply, text, "0 ok, 0 changed, 0 failed, 0 skipped");
    assert!(host.0.writes().is_empty());
}

#[test]
fn a_resource_that_still_differs_after_an_apply_fails() {
    check(
        &SharedHost::new(),
        Apply,
        "bad \"b\" {\n how = \"lie\"\n}",
        r#"
        x bad.b it still differs after it was applied [] either something else changes it, or the kind does not do what it says
        0 ok, 0 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn a_panic_is_a_failure_of_one_visit() {
    let text = "bad \"b\" {\n how = \"panic\"\n}\nnote \"/d/a\" {\n text = \"x\"\n}";
    check(
        &SharedHost::new(),
        Apply,
        text,
        r#"
        x bad.b the kind panicked, which is a defect of the kind ["boo"]
        + note["/d/a"] text: nothing -> "x"
        0 ok, 1 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn failures_skip_dependents_and_name_the_root_cause() {
    let text = r#"
        bad "b" {}
        note "/d/1" {
          text = "x"
          depends_on = [bad.b]
        }
        note "/d/2" {
          text = "n${note["/d/1"].length}"
        }
        note "/d/3" { text = "free" }
    "#;
    check(
        &SharedHost::new(),
        Apply,
        text,
        r#"
        x bad.b cannot look ["it is dark"] switch on the light
        s note["/d/1"] because of bad.b
        s note["/d/2"] because of bad.b
        + note["/d/3"] text: nothing -> "free"
        0 ok, 1 changed, 1 failed, 2 skipped"#,
    );
}

#[test]
fn references_are_values_and_unknown_ones_name_their_resource() {
    let host = SharedHost::new();
    let text = r#"
        note "/d/b" { text = "a has ${note["/d/a"].length}" }
        note "/d/a" {
          text       = "12345"
          by_command = true
        }
    "#;
    check(
        &host,
        Plan,
        text,
        r#"
        + note["/d/a"] text: nothing -> "12345"
        + note["/d/b"] text: nothing -> (known after apply)
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    check(
        &host,
        Apply,
        text,
        r#"
        + note["/d/a"] text: nothing -> "12345"
        + note["/d/b"] text: nothing -> "a has 5"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    check(&host, Plan, text, "= note[\"/d/a\"]\n= note[\"/d/b\"]\n2 ok, 0 changed, 0 failed, 0 skipped");
}

#[test]
fn an_unknown_setting_makes_the_whole_resource_wait() {
    let text = r#"
        note "/d/a" {
          text       = "12345"
          by_command = true
        }
        note "/d/b" {
          text   = "x"
          copies = note["/d/a"].length
        }
    "#;
    check(
        &SharedHost::new(),
        Plan,
        text,
        r#"
        + note["/d/a"] text: nothing -> "12345"
        ? note["/d/b"] waits for note["/d/a"].length
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn declared_values_are_known_in_a_plan() {
    let text = r#"
        note "/d/a" { text = "12345" }
        note "/d/b" { text = note["/d/a"].text }
    "#;
    check(
        &SharedHost::new(),
        Plan,
        text,
        r#"
        + note["/d/a"] text: nothing -> "12345"
        + note["/d/b"] text: nothing -> "12345"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn values_computed_from_a_secret_are_secret() {
    let text = r#"
        note "/d/a" {
          text   = "x"
          secret = "hunter2"
        }
        note "/d/b" { text = "pw ${note["/d/a"].secret}" }
        note "/d/c" {
          text = "whole"
          sensitive = true
        }
    "#;
    let host = SharedHost::new();
    check(
        &host,
        Apply,
        text,
        r#"
        + note["/d/a"] text: nothing -> "x" secret: nothing -> (sensitive value)
        + note["/d/b"] text: nothing -> (sensitive value)
        + note["/d/c"] text: nothing -> (sensitive value)
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(host.text("/d/b").as_deref(), Some("pw hunter2"));
}

#[test]
fn verbs_run_every_time_and_report_messages() {
    let text = "note \"/d/a\" {\n action = \"shout\"\n}";
    let host = SharedHost::new();
    check(&host, Plan, text, "! note[\"/d/a\"]\n0 ok, 1 changed, 0 failed, 0 skipped");
    let expected = "note[\"/d/a\"] says /d/a!\n! note[\"/d/a\"]\n0 ok, 1 changed, 0 failed, 0 skipped";
    check(&host, Apply, text, expected);
    check(&host, Apply, text, expected);
}

#[test]
fn in_a_plan_a_dependent_of_a_change_may_change_instead_of_failing() {
    let host = SharedHost::new();
    let text = r#"
        bad "app" { how = "command" }
        owned "o" { by = "app" }
    "#;
    check(
        &host,
        Plan,
        text,
        r#"
        ~ bad.app good: false -> true
        ? owned.o waits for bad.app; now: there is no user `app`
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    check(
        &host,
        Plan,
        r#"owned "o" { by = "app" }"#,
        r#"
        x owned.o there is no user `app` [] declare the user, or correct the name
        0 ok, 0 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn a_program_can_run_again() {
    let host = SharedHost::new();
    let engine = engine(&host, 1);
    let program = program(&engine, r#"note "/d/a" { text = "one" }"#).expect("it is sound");
    assert!(print_run(&engine, &program, Apply).contains("1 changed"));
    assert!(print_run(&engine, &program, Apply).contains("1 ok"));
}

#[test]
fn a_violated_rule_is_reported_even_after_a_change() {
    let text = r#"
        note "/d/a" { text = "12345" }
        note "/d/b" { text = note["/d/a"].copies }
    "#;
    check(
        &SharedHost::new(),
        Plan,
        text,
        r#"
        a.hcl:3:30 invalid property: note["/d/b"]: `text` = 1 must be a string, not a number | put it in quotes; for a computed value, write `tostring(…)`"#,
    );
}

#[test]
fn the_failure_of_a_secret_resource_shows_only_its_kind() {
    let text = "owned \"o\" {\n by = \"hunter2\"\n sensitive = true\n}";
    check(&SharedHost::new(), Apply, text, r#"
        owned.o x"#.replace("owned.o x", "x owned.o something required is missing; what exactly is hidden, because a secret is involved []\n0 ok, 0 changed, 1 failed, 0 skipped").as_str());
}

#[test]
fn a_panic_of_the_reader_ends_the_run() {
    for jobs in [1, 8] {
        let host = SharedHost::new();
        let engine = engine(&host, jobs);
        let text: String = (0..50).map(|i| format!("note \"/d/{i}\" {{\n text = \"x\"\n}}\n")).collect();
        let program = program(&engine, &text).expect("it is sound");
        let mut seen = 0;
        let run = std::panic::AssertUnwindSafe(|| {
            engine.run(&program, Apply, &mut |_| {
                seen += 1;
                assert!(seen < 20, "enough");
            })
        });
        assert!(std::panic::catch_unwind(run).is_err(), "{jobs} jobs");
    }
}
