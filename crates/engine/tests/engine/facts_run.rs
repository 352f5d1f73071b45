//! Facts ACT, RES, DSL, WHY and PAR of Chef's specs about a run.

use uphold_engine::EventKind;
use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Moment::Delayed;
use uphold_model::{Handling, Meta, Retry};
use uphold_resource::Clock;

use super::around::{counting, idle, telling, tool};
use super::check::{SharedHost, engine};
use super::gauge::Gauge;
use super::reading::run;
use super::script::{Script, block, declare, id, inside, note, parallel, same, sequence, trigger};

/// A plan runs the action itself, on an overlay of the machine.
#[test]
fn act_02_a_plan_runs_the_action() {
    let script = || block(id("bad", "b")).set("how", "apply");
    let planned = script().run(&SharedHost::new(), Plan);
    assert_eq!(planned, script().run(&SharedHost::new(), Apply));
    assert!(planned.starts_with("x bad.b cannot change"), "{planned}");
}

#[test]
fn act_09_the_members_of_a_group_finish_before_the_next_one_begins() {
    let inner = parallel([note("/d/a", "1"), sequence([note("/d/b", "1"), note("/d/c", "1")])]);
    let transcript = sequence([inner, note("/d/z", "1")]).run_with(&engine(&SharedHost::new(), 8), Apply);
    let last = transcript.lines().rfind(|line| line.starts_with('+'));
    assert_eq!(last, Some("+ note[\"/d/z\"] text: nothing -> \"1\""), "{transcript}");
}

/// Every kind has at least this action.
#[test]
fn act_16_differs_every_kind_can_converge() {
    let transcript = trigger(&id("folder", "/d/x"), "run");
    let transcript = declare(id("folder", "/d/x")).and(transcript).problems();
    assert!(transcript.contains("choose one of converge, remove, nothing"), "{transcript}");
}

#[test]
fn act_23_one_action_or_a_list() {
    let text = |action: &str| format!("note \"/d/a\" {{\n text = \"x\"\n action = {action}\n}}");
    let one = run(&SharedHost::new(), Apply, 1, &text("\"converge\""));
    assert!(one.contains("1 changed"), "{one}");
    let list = run(&SharedHost::new(), Apply, 1, &text("[\"converge\", \"shout\", \"remove\"]"));
    assert!(list.contains("3 changed"), "{list}");
}

#[test]
fn res_02_an_id_as_text() {
    assert_eq!(id("note", "motd").to_string(), "note.motd");
    assert_eq!(id("note", "/etc/motd").to_string(), "note[\"/etc/motd\"]");
    assert_eq!(inside("module.web", "note", "motd").to_string(), "module.web.note.motd");
}

#[test]
fn res_03_an_error_is_shown_at_its_place() {
    let text = "note \"/d/a\" {\n  text = 5\n}\n";
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    assert!(transcript.starts_with("a.hcl:2:10 invalid property"), "{transcript}");
}

fn tries(statuses: &'static [i32], retry: Option<Retry>) -> (usize, u64, String) {
    let (host, count) = counting(statuses);
    let transcript =
        tool("t", "count", "true").handled(Handling { retry, ..Handling::default() }).run(&host, Apply);
    (count.get(), host.0.elapsed().as_secs(), transcript)
}

#[test]
fn res_05_differs_retries_are_off_by_default_and_wait_a_second() {
    let (tried, waited, _) = tries(&[2], None);
    assert_eq!((tried, waited), (1, 0));
    let (tried, waited, _) = tries(&[2], Some(Retry::times(1)));
    assert_eq!((tried, waited), (2, 1));
}

#[test]
fn res_06_three_retries_are_four_attempts_and_three_waits() {
    let (tried, waited, transcript) = tries(&[2, 2, 2, 3], Some(Retry::times(3)));
    assert_eq!((tried, waited), (4, 3));
    assert!(transcript.contains("x tool.t the tool says denied"), "the last failure counts: {transcript}");
}

#[test]
fn res_07_a_permanent_failure_is_not_retried() {
    let (tried, waited, _) = tries(&[4], Some(Retry::times(3)));
    assert_eq!((tried, waited), (1, 0));
}

/// There is no flag to reset: each action has its own verdict.
#[test]
fn res_10_differs_each_action_has_its_own_verdict() {
    let a = id("note", "/d/a");
    let twice = declare(a.clone()).set("text", "1").and(trigger(&a, "converge")).and(trigger(&a, "converge"));
    let transcript = twice.run(&SharedHost::new(), Apply);
    assert!(
        transcript.contains("+ note")
            && transcript.contains("= note")
            && transcript.contains("1 ok, 1 changed"),
        "{transcript}"
    );
}

#[test]
fn res_12_the_failure_of_a_sensitive_resource_hides_its_message() {
    assert!(!Meta::default().sensitive);
    let text = |sensitive: bool| format!("owned \"o\" {{\n by = \"hunter2\"\n sensitive = {sensitive}\n}}");
    assert!(run(&SharedHost::new(), Apply, 1, &text(false)).contains("hunter2"));
    let transcript = run(&SharedHost::new(), Apply, 1, &text(true));
    assert!(transcript.contains("x owned.o") && !transcript.contains("hunter2"), "{transcript}");
}

#[test]
fn dsl_03_differs_a_second_declaration_is_refused() {
    let transcript = note("/d/a", "1").and(note("/d/a", "2")).problems();
    assert!(transcript.starts_with("@2 duplicate resource") && transcript.contains("@0"), "{transcript}");
}

#[test]
fn dsl_11_nested_modules_have_separate_names() {
    let at =
        |module: &str, path: &str| block(inside(module, "note", "one")).set("path", path).set("text", "1");
    let script = Script::all([
        block(id("note", "one")).set("path", "/d/0").set("text", "1"),
        at("module.a", "/d/1"),
        at("module.a.module.b", "/d/2"),
    ]);
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"+ note.one text: nothing -> "1"
        + module.a.note.one text: nothing -> "1"
        + module.a.module.b.note.one text: nothing -> "1"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn dsl_13_an_unknown_kind_is_named() {
    let transcript = block(id("nota", "/d/a")).problems();
    assert!(transcript.starts_with("@0 unknown kind: ") && transcript.contains("nota"), "{transcript}");
    assert!(transcript.contains("did you mean"), "{transcript}");
}

/// It is still loaded; its dependents may change.
#[test]
fn why_03_differs_a_resource_that_cannot_be_tried_is_still_loaded() {
    let host = SharedHost::with(|host| host.file("/d/same", "1", 0o644));
    let by_command = |name: &str| note(name, "1").set("by_command", true);
    let transcript = by_command("/d/same").and(by_command("/d/a")).run(&host, Plan);
    assert!(
        transcript.contains("= note[\"/d/same\"]") && transcript.contains("+ note[\"/d/a\"]"),
        "{transcript}"
    );
    assert!(host.0.writes().is_empty());
}

#[test]
fn why_04_rules_are_checked_before_anything_else() {
    let host = SharedHost::new();
    let transcript = note("/d/a", "1").and(block(id("note", "/d/b"))).run(&host, Apply);
    assert!(transcript.starts_with("@2 ") && transcript.contains("`text`"), "{transcript}");
    assert!(host.0.writes().is_empty());
}

/// An earlier action may create it; without one it fails.
#[test]
fn why_05_a_missing_path_may_exist_in_the_run() {
    let owned = || block(id("owned", "o")).set("by", "app");
    let app = block(id("bad", "app")).set("how", "command");
    let transcript = app.and(owned()).run(&SharedHost::new(), Plan);
    assert!(transcript.contains("? owned.o waits for bad.app; now: there is no user `app`"), "{transcript}");
    for mode in [Plan, Apply] {
        let transcript = owned().run(&SharedHost::new(), mode);
        assert!(transcript.contains("x owned.o there is no user `app`"), "{transcript}");
    }
}

/// Removing a note does not require its text.
#[test]
fn why_07_each_action_has_its_own_required_properties() {
    let a = id("note", "/d/a");
    let transcript = declare(a.clone()).and(trigger(&a, "remove")).problems();
    assert_eq!(transcript, "");
    let transcript = declare(a.clone()).and(trigger(&a, "converge")).problems();
    assert!(transcript.contains("`text`"), "{transcript}");
}

/// A plan that promised the file would be wrong; if another resource creates the directory, it exists.
#[test]
fn why_08_differs_a_missing_directory_fails_a_plan_unless_a_resource_creates_it() {
    let file = || note("/d/x/a", "1");
    for mode in [Plan, Apply] {
        let host = SharedHost::new();
        let transcript = file().run(&host, mode);
        assert!(transcript.contains("x note[\"/d/x/a\"]") && transcript.contains("1 failed"), "{transcript}");
        assert_eq!(host.text("/d/x/a"), None);
    }
    let transcript = file().and(block(id("folder", "/d/x"))).run(&SharedHost::new(), Plan);
    assert!(transcript.ends_with("0 ok, 2 changed, 0 failed, 0 skipped\n"), "{transcript}");
}

/// A target does not have to declare that it can run in parallel.
#[test]
fn par_05_differs_a_notification_from_a_member_waits_for_the_common_group() {
    let inside = parallel([telling("/d/a", "1", &[("/d/z", Delayed)]), note("/d/b", "1"), idle("/d/z")]);
    let transcript = sequence([inside, note("/d/c", "1")]).run_with(&engine(&SharedHost::new(), 8), Apply);
    let lines: Vec<&str> = transcript.lines().filter(|line| line.starts_with(['+', '!'])).collect();
    assert!(
        lines[2].starts_with("! note[\"/d/z\"]") && lines[3].starts_with("+ note[\"/d/c\"]"),
        "{transcript}"
    );
}

#[test]
fn par_08_a_sequence_in_a_parallel_group_keeps_its_order() {
    let chain = |name: &str| sequence((0..9).map(|i| note(&format!("/d/{name}{i}"), "1")));
    let transcript = parallel(["a", "b", "c"].map(chain)).run_with(&engine(&SharedHost::new(), 8), Apply);
    for name in ["a", "b", "c"] {
        let prefix = format!("+ note[\"/d/{name}");
        let lines: Vec<&str> = transcript.lines().filter(|line| line.starts_with(&prefix)).collect();
        assert!(lines.len() == 9 && lines.is_sorted(), "{transcript}");
    }
}

#[test]
fn par_09_messages_of_a_member_are_reported_together() {
    let host = SharedHost::new();
    let tools = (0..20).map(|i| {
        tool(&format!("t{i}"), &format!("test -e /d/{i}"), &format!("touch /d/{i}; echo 1; echo 2; echo 3"))
    });
    let transcript = parallel(tools).run_with(&engine(&host, 8), Apply);
    let lines: Vec<&str> = transcript.lines().collect();
    for block in lines[..80].chunks(4) {
        let name = block[0].strip_suffix(" says 1").expect("a member begins");
        let expected = [1, 2, 3].map(|n| format!("{name} says {n}"));
        assert!(block[..3] == expected && block[3].starts_with(&format!("~ {name} ")), "{transcript}");
    }
}

#[test]
fn par_10_the_run_has_a_limit() {
    let gauge = Gauge::new(3);
    let host = SharedHost::with(|host| gauge.on(host));
    parallel((0..9).map(|i| tool(&format!("t{i}"), "work", "true"))).run_with(&engine(&host, 3), Apply);
    assert_eq!(gauge.read(), (3, 9));
}

#[test]
fn par_11_ten_of_one_kind_are_one_call() {
    let host = SharedHost::with(|host| host.program("pack", |call| call.succeed("")));
    let engine = engine(&host, 8);
    let script = Script::all((0..10).map(|i| block(id("parcel", &format!("/d/{i}"))).set("text", "x")));
    let (program, transcript) = script.check(&engine);
    let program = program.unwrap_or_else(|| panic!("{transcript}"));
    let mut merged = Vec::new();
    engine.run(&program, Apply, &mut |event| {
        if let EventKind::Merged { resources } = &event.kind {
            merged.push(resources.len());
        }
    });
    assert_eq!(merged, [10]);
}
