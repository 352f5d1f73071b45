//! Facts NOT of Chef's notification specs.

use uphold_engine::Mode::{self, Apply, Plan};
use uphold_model::Moment::{Before, Delayed, Immediately};
use uphold_model::{Handling, Moment, ResourceId};

use super::around::{counting, idle, idle_tool, notifies, only_if, tell, telling};
use super::check::SharedHost;
use super::script::{
    Script, block, declare, handled_group, id, inside, note, parallel, same, sequence, trigger,
};

/// The notes that acted, in order; `x` before a failed one.
#[track_caller]
fn order(script: Script, mode: Mode, expected: &str) {
    let transcript = script.run(&SharedHost::new(), mode);
    assert_eq!(names(&transcript), expected, "{transcript}");
}

fn names(transcript: &str) -> String {
    let line = |line: &str| {
        let (sign, rest) = line.split_once(' ')?;
        let name = rest.split(['"', ' ']).find(|part| part.starts_with('/') || part.contains('.'))?;
        let name = name.rsplit(['/', '.']).next()?;
        let done = if rest.contains(".shout (") { format!("{name}.shout") } else { name.to_owned() };
        match sign {
            "+" | "~" | "!" => Some(done),
            "=" | "o" | "?" | "x" | "s" => Some(format!("{sign}{done}")),
            _ => None,
        }
    };
    transcript.lines().filter_map(line).collect::<Vec<_>>().join(" ")
}

#[test]
fn not_01_an_immediate_target_runs_and_has_changed() {
    let script = telling("/d/a", "1", &[("/d/b", Immediately)]).and(idle("/d/b"));
    let transcript = script.run(&SharedHost::new(), Apply);
    same(
        &transcript,
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/b"] says /d/b!
        ! note["/d/b"].shout (immediately note["/d/a"])
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn not_02_a_chain_runs_in_one_pass() {
    let chain = |name: &str, next: &str| idle(name).handled(notifies(&[(next, Immediately)]));
    let script = Script::all([
        idle("/d/a"),
        chain("/d/b", "/d/a"),
        telling("/d/c", "1", &[("/d/b", Immediately)]),
        note("/d/z", "last"),
    ]);
    order(script, Apply, "c b.shout a.shout z");
}

#[test]
fn not_03_delayed_targets_run_after_all_declared_actions() {
    let script = Script::all([
        telling("/d/a", "1", &[("/d/b", Delayed)]),
        idle("/d/b"),
        note("/d/c", "2"),
        note("/d/d", "3"),
    ]);
    order(script, Apply, "a c d b.shout");
}

#[test]
fn not_04_delayed_targets_run_although_a_later_action_failed() {
    let script = telling("/d/a", "1", &[("/d/b", Delayed)]).and(idle("/d/b")).and(block(id("bad", "c")));
    let transcript = script.run(&SharedHost::new(), Apply);
    assert_eq!(names(&transcript), "a xc b.shout");
    assert!(transcript.ends_with("2 changed, 1 failed, 0 skipped\n"), "{transcript}");
}

/// A note that notifies these tools to run.
fn running(name: &str, tools: &[&str]) -> Script {
    let notifies = tools.iter().map(|other| tell(&id("tool", other), "run", Delayed)).collect();
    note(name, "1").handled(Handling { notifies, ..Handling::default() })
}

#[test]
fn not_05_a_failed_target_does_not_stop_the_next_one() {
    let script = Script::all([
        running("/d/a", &["bad", "good"]),
        idle_tool("bad", "exit 2"),
        idle_tool("good", "touch /d/ran"),
    ]);
    let host = SharedHost::new();
    let transcript = script.run(&host, Apply);
    assert!(host.text("/d/ran").is_some(), "{transcript}");
    assert!(transcript.ends_with("2 changed, 1 failed, 0 skipped\n"), "{transcript}");
}

#[test]
fn not_06_each_failure_is_reported_and_counted() {
    let script = Script::all([
        running("/d/a", &["bad", "good", "worse"]),
        idle_tool("bad", "exit 2"),
        idle_tool("good", "true"),
        idle_tool("worse", "exit 3"),
    ]);
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"+ note["/d/a"] text: nothing -> "1"
        x tool.bad.run (delayed note["/d/a"]) the tool says failed []
        ! tool.good.run (delayed note["/d/a"])
        x tool.worse.run (delayed note["/d/a"]) the tool says denied []
        0 ok, 2 changed, 2 failed, 0 skipped"#,
    );
}

#[test]
fn not_08_delayed_targets_run_in_the_order_of_their_first_notification() {
    let script = Script::all([
        idle("/d/x"),
        idle("/d/y"),
        telling("/d/a", "1", &[("/d/y", Delayed)]),
        telling("/d/b", "1", &[("/d/x", Delayed), ("/d/y", Delayed)]),
    ]);
    order(script, Apply, "a b y.shout x.shout");
}

/// Each action that changes something notifies, the first and the last.
#[test]
fn not_09_differs_every_action_that_changes_notifies() {
    let twice = |moment: Moment| {
        let a = id("note", "/d/a");
        let a = declare(a.clone())
            .set("text", "1")
            .handled(notifies(&[("/d/b", moment)]))
            .and(trigger(&a, "converge"))
            .and(trigger(&a, "shout"));
        a.and(idle("/d/b"))
    };
    order(twice(Immediately), Apply, "a b.shout a b.shout");
    order(twice(Delayed), Apply, "a a b.shout");
}

#[test]
fn not_10_guards_are_evaluated_again_for_a_target() {
    let (host, count) = counting(&[0]);
    let b = note("/d/b", "x").handled(only_if("count"));
    let transcript = telling("/d/a", "1", &[("/d/b", Delayed)]).and(b).run(&host, Apply);
    assert_eq!((names(&transcript).as_str(), count.get()), ("a b b.shout", 2), "{transcript}");
}

#[test]
fn not_13_an_immediate_target_does_not_wait_for_its_place() {
    let script =
        Script::all([telling("/d/a", "1", &[("/d/z", Immediately)]), note("/d/b", "2"), idle("/d/z")]);
    order(script, Apply, "a z.shout b");
}

fn before(text: &str) -> Script {
    telling("/d/a", text, &[("/d/z", Before)]).and(note("/d/b", "2")).and(idle("/d/z"))
}

#[test]
fn not_14_a_before_target_acts_if_there_will_be_a_change() {
    order(before("1"), Apply, "z.shout a b");
    order(before("1"), Plan, "z.shout a b");
}

#[test]
fn not_15_a_before_target_does_nothing_if_there_will_be_no_change() {
    let host = SharedHost::new();
    before("1").run(&host, Apply);
    assert_eq!(names(&before("1").run(&host, Apply)), "=a =b");
    assert_eq!(names(&before("2").run(&host, Apply)), "z.shout a =b");
}

#[test]
fn not_20_a_member_notifies_an_outer_resource_at_the_end_of_the_outer_group() {
    let script = Script::all([
        idle("/d/foo"),
        parallel([telling("/d/inner", "1", &[("/d/foo", Delayed)])]),
        note("/d/baz", "2"),
    ]);
    order(script, Apply, "inner baz foo.shout");
}

#[test]
fn not_21_inner_and_outer_senders_run_a_target_once() {
    let script = Script::all([
        idle("/d/foo"),
        parallel([telling("/d/inner", "1", &[("/d/foo", Delayed)])]),
        telling("/d/baz", "2", &[("/d/foo", Delayed)]),
    ]);
    order(script, Apply, "inner baz foo.shout");
}

#[test]
fn not_22_the_first_sender_decides_the_order() {
    let script = Script::all([
        telling("/d/bar", "1", &[("/d/foo", Delayed), ("/d/baz", Delayed)]),
        idle("/d/foo"),
        sequence([telling("/d/inner", "1", &[("/d/foo", Delayed)])]),
        note("/d/baz", "2"),
    ]);
    order(script, Apply, "bar inner baz foo.shout baz.shout");
}

#[test]
fn not_23_two_senders_are_one_notification() {
    let ask = |name: &str| telling(name, "1", &[("/d/foo", Delayed)]);
    order(Script::all([ask("/d/a"), ask("/d/b"), idle("/d/foo")]), Apply, "a b foo.shout");
}

#[test]
fn not_24_a_member_notifies_an_outer_resource_immediately() {
    let script = Script::all([
        idle("/d/foo"),
        sequence([telling("/d/inner", "1", &[("/d/foo", Immediately)]), note("/d/more", "2")]),
        note("/d/baz", "2"),
    ]);
    order(script, Apply, "inner foo.shout more baz");
}

#[test]
fn not_26_an_undeclared_target_is_an_error_before_anything_runs() {
    let host = SharedHost::new();
    let script = telling("/d/a", "1", &[("/d/nowhere", Delayed)]);
    let transcript = script.run(&host, Apply);
    assert!(
        transcript.starts_with("@600 unknown resource: note[\"/d/nowhere\"] is notified, but not"),
        "{transcript}"
    );
    assert!(host.0.writes().is_empty());
}

/// A note of a module, which notifies one of the same module.
fn in_module(module: &str, from: &str, to: &str) -> Script {
    let target: ResourceId = inside(module, "note", "/d/z").clone();
    let transcript = vec![tell(&target, "shout", Delayed)];
    let path = |script: Script, path: &str| script.set("path", path).set("text", "1");
    let a = block(inside(module, "note", "/d/a"))
        .handled(Handling { notifies: transcript, ..Handling::default() });
    parallel([path(a, from), path(declare(target), to)])
}

#[test]
fn not_27_one_name_in_two_modules_is_two_resources() {
    let script = in_module("module.m", "/d/m", "/d/mz").and(in_module("module.n", "/d/n", "/d/nz"));
    let transcript = script.run(&SharedHost::new(), Apply);
    let said: Vec<_> = transcript.lines().filter(|line| line.contains("says")).collect();
    assert!(said.len() == 2 && said[0].ends_with("/d/mz!") && said[1].ends_with("/d/nz!"), "{transcript}");
}

#[test]
fn not_29_a_group_runs_its_delayed_targets_at_its_end() {
    let script = sequence([
        parallel([
            idle("/d/gamma"),
            telling("/d/alpha", "1", &[("/d/gamma", Delayed)]),
            telling("/d/beta", "1", &[("/d/gamma", Delayed)]),
        ]),
        note("/d/delta", "1"),
    ]);
    order(script, Apply, "alpha beta gamma.shout delta");
}

#[test]
fn not_30_a_group_has_changed_when_a_member_has() {
    let inner = sequence([telling("/d/quux", "1", &[("/d/foo", Immediately), ("/d/bar", Delayed)])]);
    let script = Script::all([
        idle("/d/foo"),
        idle("/d/bar"),
        idle("/d/baz"),
        handled_group(notifies(&[("/d/baz", Delayed)]), [inner]),
        note("/d/z", "1"),
    ]);
    order(script, Apply, "quux foo.shout z bar.shout baz.shout");
}

#[test]
fn not_33_one_target_and_one_action_are_one_notification() {
    let ask = |name: &str, target: &str, action: &str| {
        let notifies = vec![tell(&id("note", target), action, Delayed)];
        note(name, "1").handled(Handling { notifies, ..Handling::default() })
    };
    let script = Script::all([
        ask("/d/1", "/d/y", "shout"),
        ask("/d/2", "/d/y", "shout"),
        ask("/d/3", "/d/y", "converge"),
        ask("/d/4", "/d/z", "shout"),
        idle("/d/y"),
        idle("/d/z"),
    ]);
    order(script, Apply, "1 2 3 4 y.shout y z.shout");
}

#[test]
fn not_36_a_target_can_be_declared_before_or_after_its_sender() {
    let ask = telling("/d/a", "1", &[("/d/y", Delayed), ("/d/z", Delayed)]);
    order(Script::all([idle("/d/y"), ask, idle("/d/z")]), Apply, "a y.shout z.shout");
}

#[test]
fn not_39_a_notification_at_the_end_is_delivered_at_the_same_end() {
    let y = idle("/d/y").handled(notifies(&[("/d/z", Delayed)]));
    let first = telling("/d/a", "1", &[("/d/y", Delayed)]);
    let script = sequence([parallel([first, y, idle("/d/z")]), note("/d/b", "2")]);
    order(script, Apply, "a y.shout z.shout b");
}

/// The seed leaves it open. The target has not seen changes after it ran, so it runs again.
#[test]
fn not_40_differs_a_target_that_is_notified_again_after_it_ran_runs_again() {
    let y = idle("/d/y").handled(notifies(&[("/d/x", Delayed)]));
    let script =
        Script::all([telling("/d/a", "1", &[("/d/x", Delayed), ("/d/y", Delayed)]), idle("/d/x"), y]);
    order(script, Apply, "a x.shout y.shout x.shout");
}

#[test]
fn not_41_differs_a_notification_is_delayed_to_the_end_of_the_innermost_common_group() {
    let script = sequence([
        telling("/d/a", "1", &[("/d/z", Delayed)]),
        parallel([idle("/d/z"), note("/d/b", "1")]),
        note("/d/c", "1"),
    ]);
    order(script.and(note("/d/e", "1").after(&id("note", "/d/c"))), Apply, "a b c z.shout e");
}

#[test]
fn not_45_a_plan_shows_notifications() {
    let z = idle_tool("z", "touch /d/z");
    let notifies = vec![tell(&id("tool", "z"), "run", Immediately)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    let host = SharedHost::new();
    same(
        &a.and(z).run(&host, Plan),
        r#"+ note["/d/a"] text: nothing -> "1"
        ! tool.z.run (immediately note["/d/a"])
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert!(host.0.writes().is_empty());
}

#[test]
fn not_46_each_group_has_its_own_queue() {
    let group = |from: &str, to: &str| parallel([telling(from, "1", &[(to, Delayed)]), idle(to)]);
    let script = sequence([group("/d/a", "/d/y"), group("/d/b", "/d/z"), note("/d/c", "1")]);
    order(script, Apply, "a y.shout b z.shout c");
}
