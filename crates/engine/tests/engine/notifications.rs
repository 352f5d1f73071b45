//! Notifications: their targets, time and number.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{Handling, Moment};

use super::around::{guard, idle, idle_tool, notifies, tell, telling, tool};
use super::check::SharedHost;
use super::expression::read;
use super::script::{Script, block, id, note, parallel, same, sequence, trigger};

#[track_caller]
fn check(script: Script, expected: &str) {
    same(&script.run(&SharedHost::new(), Apply), expected);
}

#[test]
fn immediate_targets_run_before_the_next_resource() {
    let script = Script::all([
        telling("/d/a", "1", &[("/d/z", Moment::Immediately)]),
        note("/d/b", "2"),
        idle("/d/z"),
    ]);
    check(
        script,
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (immediately note["/d/a"])
        + note["/d/b"] text: nothing -> "2"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn delayed_targets_run_once_at_the_end_in_the_order_of_the_first_notification() {
    let script = Script::all([
        telling("/d/a", "1", &[("/d/z", Moment::Delayed), ("/d/y", Moment::Delayed)]),
        telling("/d/b", "2", &[("/d/y", Moment::Delayed), ("/d/z", Moment::Delayed)]),
        block(id("bad", "b")),
        idle("/d/y"),
        idle("/d/z"),
    ]);
    check(
        script,
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        x bad.b cannot look ["it is dark"] switch on the light
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"] and note["/d/b"])
        note["/d/y"] says /d/y!
        ! note["/d/y"].shout (delayed note["/d/a"] and note["/d/b"])
        0 ok, 4 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn before_targets_run_if_the_comparison_finds_a_difference() {
    let host = SharedHost::new();
    let script =
        || Script::all([telling("/d/a", "1", &[("/d/z", Moment::Before)]), note("/d/b", "2"), idle("/d/z")]);
    let first = r#"note["/d/z"] says /d/z!
        ! note["/d/z"].shout (before note["/d/a"])
        + note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        0 ok, 3 changed, 0 failed, 0 skipped"#;
    same(&script().run(&host, Apply), first);
    let second = r#"= note["/d/a"]
        = note["/d/b"]
        2 ok, 0 changed, 0 failed, 0 skipped"#;
    same(&script().run(&host, Apply), second);
}

#[test]
fn a_group_delivers_delayed_notifications_at_its_own_end() {
    let script = sequence([
        parallel([telling("/d/a", "1", &[("/d/z", Moment::Delayed)]), idle("/d/z")]),
        note("/d/b", "2"),
    ]);
    check(
        script,
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        + note["/d/b"] text: nothing -> "2"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_target_comes_after_its_sender_unless_another_order_is_required() {
    let transcript = Script::all([note("/d/z", "x"), telling("/d/a", "1", &[("/d/z", Moment::Delayed)])]);
    assert_eq!(transcript.edges(), ["/d/a < /d/z (is notified by it)"]);
    let a = telling("/d/a", "1", &[("/d/z", Moment::Delayed)]).after(&id("note", "/d/z"));
    assert_eq!(Script::all([note("/d/z", "x"), a]).edges(), ["/d/z < /d/a (depends_on)"]);
}

#[test]
fn a_resource_does_not_notify_itself() {
    let a = telling("/d/a", "1", &[("/d/b", Moment::Immediately)]);
    let b = telling("/d/b", "1", &[("/d/a", Moment::Immediately)]);
    check(
        Script::all([a, b]),
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/b"] says /d/b!
        ! note["/d/b"].shout (immediately note["/d/a"])
        note["/d/a"] says /d/a!
        ! note["/d/a"].shout (immediately note["/d/b"])
        + note["/d/b"] text: nothing -> "1"
        note["/d/a"] says /d/a!
        ! note["/d/a"].shout (immediately note["/d/b"])
        note["/d/b"] says /d/b!
        ! note["/d/b"].shout (immediately note["/d/a"])
        0 ok, 6 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_target_that_is_notified_again_after_it_ran_runs_again() {
    let z = id("note", "/d/z");
    let shout = trigger(&z, "shout");
    let inner = parallel([telling("/d/a", "1", &[("/d/y", Moment::Delayed)]), idle("/d/y")]);
    let outer = telling("/d/b", "2", &[("/d/y", Moment::Delayed)]);
    let script = sequence([inner, outer, idle("/d/z").and(shout)]);
    check(
        script,
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/y"] says /d/y!
        ! note["/d/y"].shout (delayed note["/d/a"])
        + note["/d/b"] text: nothing -> "2"
        note["/d/z"] says /d/z!
        ! note["/d/z"]
        note["/d/y"] says /d/y!
        ! note["/d/y"].shout (delayed note["/d/b"])
        0 ok, 5 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn dependents_of_a_sender_wait_for_its_targets() {
    let z = id("tool", "z");
    let notifies = vec![tell(&z, "run", Moment::Immediately)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    let b = tool("b", "test -e /d/z", "exit 2").after(&id("note", "/d/a"));
    check(
        Script::all([a, b, idle_tool("z", "touch /d/z")]),
        r#"+ note["/d/a"] text: nothing -> "1"
        ! tool.z.run (immediately note["/d/a"])
        = tool.b
        1 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

/// The failure of an immediate target is its own: its sender has succeeded.
#[test]
fn the_failure_of_a_target_is_its_own() {
    let notifies = vec![tell(&id("tool", "z"), "run", Moment::Immediately)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    check(
        Script::all([a, note("/d/b", "2").after(&id("note", "/d/a")), idle_tool("z", "exit 2")]),
        r#"+ note["/d/a"] text: nothing -> "1"
        x tool.z.run (immediately note["/d/a"]) the tool says failed []
        + note["/d/b"] text: nothing -> "2"
        0 ok, 2 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn a_before_target_that_fails_prevents_the_change() {
    let notifies = vec![tell(&id("tool", "z"), "run", Moment::Before)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    let b = note("/d/b", "2").after(&id("note", "/d/a"));
    let host = SharedHost::new();
    same(
        &Script::all([a, b, idle_tool("z", "exit 2")]).run(&host, Apply),
        r#"x tool.z.run (before note["/d/a"]) the tool says failed []
        s note["/d/a"] because of tool.z
        s note["/d/b"] because of tool.z
        0 ok, 0 changed, 1 failed, 2 skipped"#,
    );
    assert_eq!((host.text("/d/a"), host.text("/d/b")), (None, None));
}

#[test]
fn a_target_whose_dependency_failed_is_skipped() {
    for moment in [Moment::Immediately, Moment::Delayed] {
        let z = idle("/d/z").after(&id("bad", "b"));
        let transcript = Script::all([block(id("bad", "b")), telling("/d/a", "1", &[("/d/z", moment)]), z])
            .run(&SharedHost::new(), Apply);
        let word = moment.word();
        let skipped = format!("s note[\"/d/z\"].shout ({word} note[\"/d/a\"]) because of bad.b");
        assert!(
            transcript.contains(&skipped) && transcript.contains("1 changed, 1 failed, 1 skipped"),
            "{transcript}"
        );
    }
}

#[test]
fn a_target_that_is_notified_before_its_dependencies_ran_waits_for_them() {
    let z = idle("/d/z").after(&id("note", "/d/b"));
    check(
        Script::all([telling("/d/a", "1", &[("/d/z", Moment::Immediately)]), note("/d/b", "2"), z]),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (immediately note["/d/a"])
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

/// The dependency of the target depends on the sender, which waits for the target: the target goes first.
#[test]
fn a_target_whose_dependency_waits_for_it_goes_first() {
    let z = idle("/d/z").after(&id("note", "/d/b"));
    let b = note("/d/b", "2").after(&id("note", "/d/a"));
    check(
        Script::all([telling("/d/a", "1", &[("/d/z", Moment::Immediately)]), b, z]),
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (immediately note["/d/a"])
        + note["/d/b"] text: nothing -> "2"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn on_success_means_that_nothing_has_failed() {
    let script = |moment, more: Script| telling("/d/a", "1", &[("/d/z", moment)]).and(idle("/d/z")).and(more);
    let run = |moment, more| script(moment, more).run(&SharedHost::new(), Apply);
    let transcript = run(Moment::OnSuccess, note("/d/b", "2"));
    assert!(transcript.contains("! note[\"/d/z\"].shout (on_success note[\"/d/a\"])\n"), "{transcript}");
    let transcript = run(Moment::OnSuccess, block(id("bad", "b")));
    assert!(
        transcript.contains("o note[\"/d/z\"].shout (on_success note[\"/d/a\"]) the run failed\n"),
        "{transcript}"
    );
    let ignored = Handling { ignore_failure: true, ..Handling::default() };
    let transcript = run(Moment::OnSuccess, block(id("bad", "b")).handled(ignored));
    assert!(transcript.contains("! note[\"/d/z\"].shout"), "{transcript}");
}

#[test]
fn a_delayed_notification_counts_more_than_an_on_success_one() {
    let script = Script::all([
        telling("/d/a", "1", &[("/d/z", Moment::OnSuccess)]),
        telling("/d/b", "1", &[("/d/z", Moment::Delayed)]),
        block(id("bad", "b")),
        idle("/d/z"),
    ]);
    let transcript = script.run(&SharedHost::new(), Apply);
    assert!(
        transcript.contains("! note[\"/d/z\"].shout (delayed note[\"/d/a\"] and note[\"/d/b\"])"),
        "{transcript}"
    );
}

#[test]
fn a_subscriber_is_notified() {
    let hears = |moment| {
        let subscribes = vec![tell(&id("note", "/d/a"), "shout", moment)];
        idle("/d/z").handled(Handling { subscribes, ..Handling::default() })
    };
    let lines = |moment| {
        let script = Script::all([hears(moment), note("/d/a", "1"), note("/d/b", "2")]);
        let transcript = script.run(&SharedHost::new(), Apply);
        let signs = transcript
            .lines()
            .filter(|line| !line.contains("says"))
            .filter_map(|line| line.split('"').nth(1));
        signs.map(|path| path[3..].to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(lines(Moment::Before), "z a b");
    assert_eq!(lines(Moment::Immediately), "a z b");
    assert_eq!(lines(Moment::Delayed), "a b z");
}

/// A note with a setting that only a run can compute.
fn unsure(handling: Handling) -> Script {
    let c = block(id("note", "/d/c")).set("text", "1").with("copies", read(&id("note", "/d/b"), "length"));
    note("/d/b", "2").set("by_command", true).and(c.handled(handling))
}

#[test]
fn in_a_plan_a_possible_change_makes_targets_that_may_run() {
    for moment in Moment::ALL {
        let script = unsure(notifies(&[("/d/z", moment)])).and(idle("/d/z"));
        let transcript = script.run(&SharedHost::new(), Plan);
        let line =
            format!("? note[\"/d/z\"].shout ({} note[\"/d/c\"]) waits for note[\"/d/c\"]\n", moment.word());
        assert!(transcript.contains(&line), "{}: {transcript}", moment.word());
    }
}

#[test]
fn in_a_plan_a_certain_sender_counts_more_than_a_possible_one() {
    let delayed = || notifies(&[("/d/z", Moment::Delayed)]);
    let sure = note("/d/a", "1").handled(delayed());
    let transcript = Script::all([unsure(delayed()), sure, idle("/d/z")]).run(&SharedHost::new(), Plan);
    assert!(transcript.contains("! note[\"/d/z\"].shout (delayed note[\"/d/"), "{transcript}");
}

/// The guard of the target depends on the change that notifies it.
#[test]
fn in_a_plan_the_guard_of_a_target_cannot_be_evaluated() {
    let z = || {
        let notifies = notifies(&[("/d/z", Moment::Immediately)]);
        let guards = vec![guard(true, "test -e /d/a")];
        let z = idle("/d/z").handled(Handling { guards, ..Handling::default() });
        note("/d/a", "1").handled(notifies).and(z)
    };
    let (planned, done) = (z().run(&SharedHost::new(), Plan), z().run(&SharedHost::new(), Apply));
    assert!(done.contains("! note[\"/d/z\"].shout"), "{done}");
    assert!(
        planned.contains("? note[\"/d/z\"].shout (immediately note[\"/d/a\"]) waits for note[\"/d/a\"]"),
        "{planned}"
    );
}

/// The sender is a dependency of the target, as a file is of its service: that is no reason to wait.
#[test]
fn a_target_that_depends_on_its_sender_does_not_wait_for_all_others() {
    let z = || idle("/d/z").after(&id("note", "/d/a"));
    let order = |moment, z: Script| {
        let transcript =
            Script::all([telling("/d/a", "1", &[("/d/z", moment)]), note("/d/b", "1"), note("/d/c", "1"), z])
                .run(&SharedHost::new(), Apply);
        let names = transcript
            .lines()
            .filter(|line| !line.contains("says"))
            .filter_map(|line| line.split('"').nth(1));
        names.map(|path| path[3..].to_owned()).collect::<String>()
    };
    assert_eq!(order(Moment::Immediately, z()), "azbc");
    assert_eq!(order(Moment::Before, z()), "zabc");
    assert_eq!(order(Moment::Immediately, z().after(&id("note", "/d/b"))), "abzc");
    assert_eq!(order(Moment::Before, z().after(&id("note", "/d/b"))), "bzac");
    assert_eq!(order(Moment::Delayed, z()), "abcz");
}

#[test]
fn many_resources_that_notify_each_other_end() {
    let names: Vec<String> = (0..9).map(|number| format!("/d/{number}")).collect();
    let all = names.iter().map(|name| {
        let others: Vec<_> = names
            .iter()
            .filter(|other| *other != name)
            .map(|other| (other.as_str(), Moment::Immediately))
            .collect();
        telling(name, "1", &others)
    });
    let transcript = Script::all(all).run(&SharedHost::new(), Apply);
    assert!(transcript.ends_with("0 failed, 0 skipped\n"), "{}", transcript.len());
    assert!(transcript.lines().count() < 50_000, "{}", transcript.lines().count());
}

#[test]
fn targets_of_one_list_run_one_after_the_other() {
    let slow = idle_tool("slow", "sleep 1");
    let transcript = [("slow", Moment::Immediately), ("fast", Moment::Immediately)];
    let notifies = transcript.iter().map(|(name, moment)| tell(&id("tool", name), "run", *moment)).collect();
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    let script = a.and(slow).and(idle_tool("fast", "true"));
    let transcript = script.run(&SharedHost::new(), Plan);
    let place =
        |name: &str| transcript.find(&format!("tool.{name}.run")).unwrap_or_else(|| panic!("{transcript}"));
    assert!(place("slow") < place("fast"), "{transcript}");
}
