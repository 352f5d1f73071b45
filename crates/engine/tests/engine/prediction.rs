//! Plans that predict: a later action sees the changes that an earlier one would make.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{Handling, Moment};

use super::around::{tell, tool};
use super::check::SharedHost;
use super::expression::{equals, template};
use super::script::{Script, block, declare, id, note, same, trigger};

/// The plan matches the run line by line, and writes nothing.
#[track_caller]
fn predicted(host: &SharedHost, script: Script, expected: &str) {
    host.0.forget();
    let planned = script.clone().run(host, Plan);
    same(&planned, expected);
    assert!(host.0.writes().is_empty(), "{:?}", host.0.writes());
    let done = script.clone().run(host, Apply);
    assert_eq!(planned, done);
    assert!(script.run(host, Plan).contains(" 0 changed"));
}

fn copy(path: &str, from: &str) -> Script {
    block(id("copy", path)).set("from", from)
}

#[test]
fn predicts_entries_of_a_folder_that_will_be_created() {
    predicted(
        &SharedHost::new(),
        Script::all([note("/d/x/y/a", "1"), block(id("folder", "/d/x/y")), block(id("folder", "/d/x"))]),
        r#"+ folder["/d/x"]
        + folder["/d/x/y"]
        + note["/d/x/y/a"] text: nothing -> "1"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn predicts_values_computed_from_future_content() {
    let b = block(id("note", "/d/b")).with("text", template(&id("note", "/d/a"), "length"));
    let c = note("/d/c", "1").when(equals(&id("note", "/d/b"), "length", 7));
    let e = note("/d/e", "1").when(equals(&id("note", "/d/b"), "length", 8));
    predicted(
        &SharedHost::new(),
        Script::all([note("/d/a", "12345"), b, c, e]),
        r#"+ note["/d/a"] text: nothing -> "12345"
        + note["/d/b"] text: nothing -> "it is 5"
        + note["/d/c"] text: nothing -> "1"
        o note["/d/e"]
        0 ok, 3 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

/// The copy equals its source now, but not the future source.
#[test]
fn predicts_a_copy_of_a_drifted_file() {
    let host = SharedHost::with(|host| host.file("/d/a", "drifted", 0o644).file("/d/b", "drifted", 0o644));
    predicted(
        &host,
        note("/d/a", "new").and(copy("/d/b", "/d/a")),
        r#"~ note["/d/a"] text: "drifted" -> "new"
        ~ copy["/d/b"] same: false -> true
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    let host = SharedHost::with(|host| host.file("/d/a", "drifted", 0o644).file("/d/b", "new", 0o644));
    predicted(
        &host,
        note("/d/a", "new").and(copy("/d/b", "/d/a")),
        r#"~ note["/d/a"] text: "drifted" -> "new"
        = copy["/d/b"]
        1 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn predicts_a_removed_and_recreated_file() {
    let a = id("note", "/d/a");
    let script = declare(a.clone()).set("text", "1").and(trigger(&a, "remove")).and(trigger(&a, "converge"));
    let host = SharedHost::with(|host| host.file("/d/a", "1", 0o644));
    let planned = script.clone().run(&host, Plan);
    same(
        &planned,
        r#"- note["/d/a"] text: "1" -> nothing
        + note["/d/a"] text: nothing -> "1"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(planned, script.run(&host, Apply));
}

/// A plan reports what it cannot try: its dependents may change.
#[test]
fn the_result_of_a_command_is_unknown() {
    let host = SharedHost::new();
    let script = || note("/d/a", "1").set("by_command", true).and(copy("/d/b", "/d/a"));
    same(
        &script().run(&host, Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ? copy["/d/b"] waits for note["/d/a"]; now: cannot read /d/a
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert!(script().run(&host, Apply).contains("0 ok, 2 changed"));
}

/// A command sees the current machine.
#[test]
fn the_output_of_a_command_after_a_change_is_uncertain() {
    let stands = || tool("t", "test -e /d/a", "true").after(&id("note", "/d/a"));
    same(
        &note("/d/a", "1").and(stands()).run(&SharedHost::new(), Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ? tool.t waits for note["/d/a"]
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    let alone = tool("t", "test -e /d/a", "true");
    same(
        &note("/d/a", "1").and(alone).run(&SharedHost::new(), Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ~ tool.t done: false -> true
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

/// Uncertainty is passed on, also through resources that are as declared.
#[test]
fn uncertainty_is_passed_on() {
    let host = SharedHost::with(|host| host.file("/d/b", "1", 0o644));
    let b = note("/d/b", "1").after(&id("note", "/d/a"));
    let c = copy("/d/c", "/d/nowhere").after(&id("note", "/d/b"));
    same(
        &Script::all([note("/d/a", "1").set("by_command", true), b, c]).run(&host, Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        = note["/d/b"]
        ? copy["/d/c"] waits for note["/d/a"]; now: cannot read /d/nowhere
        1 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

/// Everything before it is predictable, so its failure is certain.
#[test]
fn a_predicted_failure_fails() {
    same(
        &note("/d/a", "1")
            .and(copy("/d/c", "/d/nowhere").after(&id("note", "/d/a")))
            .run(&SharedHost::new(), Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        x copy["/d/c"] cannot read /d/nowhere ["entity not found"]
        0 ok, 1 changed, 1 failed, 0 skipped"#,
    );
}

/// A verb is tried as well; its messages in a plan are dropped.
#[test]
fn messages_of_a_dry_run_are_dropped() {
    let a = id("note", "/d/a");
    let script = declare(a.clone()).set("text", "1").and(trigger(&a, "shout"));
    let host = SharedHost::new();
    let transcript = script.run(&host, Plan);
    assert!(!transcript.contains("says"), "{transcript}");
    assert!(host.0.said().is_empty());
}

/// The target comes after its sender, and the output of a command about it is uncertain, too.
#[test]
fn a_target_is_predicted_after_its_sender() {
    let notifies = vec![tell(&id("tool", "z"), "run", Moment::Immediately)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    same(
        &a.and(tool("z", "test -e /d/z", "touch /d/z")).run(&SharedHost::new(), Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ! tool.z.run (immediately note["/d/a"])
        ? tool.z waits for note["/d/a"]
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}
