//! Notifications from and to groups.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Moment::{Delayed, Immediately, OnSuccess};
use uphold_model::{Handling, Moment};

use super::around::{idle, notifies, tell, telling};
use super::check::SharedHost;
use super::script::{Script, block, handled_group, id, note, parallel, same, sequence};

#[track_caller]
fn check(script: Script, expected: &str) {
    same(&script.run(&SharedHost::new(), Apply), expected);
}

/// A group that notifies `/d/z`.
fn telling_group(moment: Moment, members: impl IntoIterator<Item = Script>) -> Script {
    handled_group(notifies(&[("/d/z", moment)]), members)
}

/// Runs only if one of these notes has changed.
fn subscribing(names: &[&str], members: impl IntoIterator<Item = Script>) -> Script {
    let subscribes = names.iter().map(|name| tell(&id("note", name), "converge", Delayed)).collect();
    handled_group(Handling { subscribes, ..Handling::default() }, members)
}

#[test]
fn a_group_notifies_once_when_all_members_have_ended() {
    let script = sequence([
        telling_group(Immediately, [note("/d/a", "1"), note("/d/b", "2")]),
        note("/d/c", "3"),
        idle("/d/z"),
    ]);
    let host = SharedHost::new();
    same(
        &script.clone().run(&host, Apply),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (immediately note["/d/b"] and note["/d/a"])
        + note["/d/c"] text: nothing -> "3"
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
    assert!(!script.run(&host, Apply).contains("/d/z"), "nothing changed, so nobody is transcript");
}

#[test]
fn a_group_notifies_although_another_member_failed() {
    check(
        telling_group(Delayed, [note("/d/a", "1"), block(id("bad", "b"))]).and(idle("/d/z")),
        r#"+ note["/d/a"] text: nothing -> "1"
        x bad.b cannot look ["it is dark"] switch on the light
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        0 ok, 2 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn delayed_notifications_of_a_group_are_delivered_at_the_end_of_the_outer_group() {
    let inner = telling_group(Delayed, [note("/d/a", "1")]);
    check(
        sequence([parallel([inner, note("/d/b", "2"), idle("/d/z")]), note("/d/c", "3")]),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        + note["/d/c"] text: nothing -> "3"
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
}

/// The innermost common group has ended, or has no end of its own, when the outer one notifies.
#[test]
fn a_group_can_notify_its_own_members() {
    let inner = parallel([note("/d/a", "1"), idle("/d/z")]);
    check(
        sequence([telling_group(Delayed, [inner]), note("/d/c", "3")]),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/c"] text: nothing -> "3"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

/// The end of the common group is past when the notification is sent.
#[test]
fn a_notification_after_the_end_of_its_group_is_delivered_at_the_next_end() {
    let a = idle("/d/a").handled(notifies(&[("/d/z", Delayed)]));
    let over = parallel([a, idle("/d/z"), note("/d/1", "1")]);
    let late = telling("/d/late", "1", &[("/d/a", Immediately)]);
    check(
        parallel([sequence([over, late]), note("/d/c", "1").after(&id("note", "/d/late"))]),
        r#"+ note["/d/1"] text: nothing -> "1"
        + note["/d/late"] text: nothing -> "1"
        note["/d/a"] says /d/a!
        ! note["/d/a"].shout (immediately note["/d/late"])
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        + note["/d/c"] text: nothing -> "1"
        0 ok, 5 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn an_outer_resource_notifies_a_member() {
    check(
        telling("/d/a", "1", &[("/d/y", Immediately), ("/d/z", Delayed)]).and(sequence([
            idle("/d/y"),
            idle("/d/z"),
            note("/d/b", "2"),
        ])),
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/y"] says /d/y!
        ! note["/d/y"].shout (immediately note["/d/a"])
        + note["/d/b"] text: nothing -> "2"
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_subscribing_group_runs_only_after_a_change() {
    let host = SharedHost::new();
    let script = || {
        let group = subscribing(&["/d/a", "/d/b"], [note("/d/x", "1"), parallel([note("/d/y", "2")])]);
        Script::all([group, note("/d/a", "1"), note("/d/b", "2")])
    };
    same(
        &script().run(&host, Apply),
        r#"+ note["/d/a"] text: nothing -> "1"
        + note["/d/b"] text: nothing -> "2"
        + note["/d/x"] text: nothing -> "1"
        + note["/d/y"] text: nothing -> "2"
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
    host.0.restore(&{
        let other = SharedHost::new();
        script().and(note("/d/q", "q")).run(&other, Apply);
        note("/d/x", "9").run(&other, Apply);
        other.0.snapshot()
    });
    same(
        &script().run(&host, Apply),
        r#"= note["/d/a"]
        = note["/d/b"]
        o note["/d/x"] nothing changed
        o note["/d/y"] nothing changed
        2 ok, 0 changed, 0 failed, 0 skipped, 2 not wanted"#,
    );
}

/// A `subscribes` that names no resource, such as a block whose `for_each` is empty.
#[test]
fn a_group_that_subscribes_to_nothing_never_runs() {
    let place = crate::engine::expression::place_at(0);
    let handling = Handling { written: vec![("subscribes".into(), place)], ..Handling::default() };
    check(
        note("/d/a", "1").and(handled_group(handling, [note("/d/x", "1")])),
        r#"+ note["/d/a"] text: nothing -> "1"
        o note["/d/x"] nothing changed
        0 ok, 1 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
}

/// As with a false guard: a notification does not run a member of a skipped group.
#[test]
fn a_handler_in_a_subscribing_group_runs_only_after_a_change() {
    for moment in [Immediately, Delayed] {
        let script = || {
            let group = subscribing(&["/d/v"], [idle("/d/z")]);
            Script::all([telling("/d/a", "1", &[("/d/z", moment)]), group, note("/d/v", "1")])
        };
        let host = SharedHost::new();
        note("/d/v", "1").run(&host, Apply);
        let transcript = script().run(&host, Apply);
        assert!(transcript.contains("note[\"/d/a\"]) nothing changed"), "{transcript}");
        // It waits until it is known whether there is a change.
        let transcript = script().run(&SharedHost::new(), Apply);
        assert!(transcript.contains("! note[\"/d/z\"].shout"), "{transcript}");
    }
}

/// The failure of a subscribed resource is no reason to skip: nothing changed.
#[test]
fn a_subscribing_group_does_not_depend_on_its_subscriptions() {
    let subscribes = vec![tell(&id("bad", "b"), "converge", Delayed)];
    let group = handled_group(Handling { subscribes, ..Handling::default() }, [note("/d/x", "1")]);
    check(
        block(id("bad", "b")).and(group),
        r#"x bad.b cannot look ["it is dark"] switch on the light
        o note["/d/x"] nothing changed
        0 ok, 0 changed, 1 failed, 0 skipped, 1 not wanted"#,
    );
}

#[test]
fn in_a_plan_a_possible_change_makes_a_subscribing_group_wait() {
    let unsure = note("/d/b", "2").set("by_command", true);
    let reader = block(id("note", "/d/c"))
        .set("text", "1")
        .with("copies", crate::engine::expression::read(&id("note", "/d/b"), "length"));
    let group = subscribing(&["/d/c"], [note("/d/x", "1")]);
    same(
        &Script::all([unsure, reader, group]).run(&SharedHost::new(), Plan),
        r#"+ note["/d/b"] text: nothing -> "2"
        ? note["/d/c"] waits for note["/d/b"].length
        ? note["/d/x"] waits for note["/d/c"]
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_group_can_notify_only_if_the_run_succeeded() {
    let script = |more: Script| telling_group(OnSuccess, [note("/d/a", "1")]).and(idle("/d/z")).and(more);
    let good = script(note("/d/b", "2")).run(&SharedHost::new(), Apply);
    assert!(good.contains("! note[\"/d/z\"].shout (on_success note[\"/d/a\"])"), "{good}");
    let bad = script(block(id("bad", "b"))).run(&SharedHost::new(), Apply);
    assert!(bad.contains("o note[\"/d/z\"].shout (on_success note[\"/d/a\"]) the run failed"), "{bad}");
}

#[test]
fn a_target_of_a_group_must_exist() {
    let group = handled_group(notifies(&[("/d/q", Delayed)]), [note("/d/a", "1")]);
    assert!(group.problems().starts_with("@600 unknown resource: note[\"/d/q\"] is notified"));
    let group = subscribing(&["/d/q"], [note("/d/a", "1")]);
    assert!(group.problems().starts_with("@600 unknown resource: note[\"/d/q\"] is subscribed to"));
}

#[test]
fn a_group_cannot_wait_for_the_change_of_its_own_member() {
    let transcript = subscribing(&["/d/a"], [parallel([note("/d/a", "1")])]).problems();
    assert!(
        transcript.contains("group subscribes to its own member: note[\"/d/a\"] is in the group"),
        "{transcript}"
    );
}
