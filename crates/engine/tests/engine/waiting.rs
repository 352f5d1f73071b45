//! Resources that are not ready: they are checked until they are.

use std::time::Duration;

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::{EventKind, Request, Skip, Verdict};
use uphold_model::{Handling, Moment, NotUntil, Value};
use uphold_resource::{Clock, Stop};

use super::around::{Count, counting, guard, idle, notifies, only_if, tell, tool, with_count};
use super::check::{SharedHost, builder};
use super::script::{Script, id, note, same};

#[test]
fn a_resource_that_is_not_ready_is_checked_again_and_its_dependents_wait() {
    let (host, count) = counting(&[75, 75, 1, 0]);
    let after = note("/d/a", "1").after(&id("tool", "t"));
    same(
        &Script::all([tool("t", "count", "true"), after, note("/d/b", "2")]).run(&host, Apply),
        r#"tool.t waits: the tool, again after 2s
        + note["/d/b"] text: nothing -> "2"
        tool.t waits: the tool, again after 2s
        ~ tool.t done: false -> true
        + note["/d/a"] text: nothing -> "1"
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!((count.get(), host.0.elapsed().as_secs()), (4, 4));
}

#[test]
fn waiting_ends_at_the_timeout() {
    let (host, _) = counting(&[75]);
    let timeout = Some(Duration::from_secs(5));
    let script = tool("t", "count", "true").handled(Handling { timeout, ..Handling::default() });
    same(
        &script.and(note("/d/a", "1").after(&id("tool", "t"))).run(&host, Apply),
        r#"tool.t waits: the tool, again after 2s
        tool.t waits: the tool, again after 2s
        tool.t waits: the tool, again after 1s
        x tool.t not ready after 5s: the tool [] raise its `timeout`, or see why it takes so long
        s note["/d/a"] because of tool.t
        0 ok, 0 changed, 1 failed, 1 skipped"#,
    );
}

#[test]
fn the_default_timeout_is_five_minutes() {
    let (host, _) = counting(&[75]);
    let transcript = tool("t", "count", "true").run(&host, Apply);
    assert!(transcript.contains("1 failed"), "{transcript}");
    assert_eq!(host.0.elapsed().as_secs(), 300);
}

#[test]
fn a_timeout_can_be_ignored() {
    let (host, _) = counting(&[75]);
    let handling =
        Handling { timeout: Some(Duration::from_secs(1)), ignore_failure: true, ..Handling::default() };
    let transcript = tool("t", "count", "true").handled(handling).run(&host, Apply);
    assert!(transcript.ends_with("0 ok, 0 changed, 0 failed, 0 skipped, 1 ignored\n"), "{transcript}");
}

#[test]
fn a_plan_does_not_wait() {
    let (host, count) = counting(&[75]);
    same(
        &tool("t", "count", "true").and(note("/d/a", "1")).run(&host, Plan),
        r#"? tool.t waits for itself to be ready; now: the tool
        + note["/d/a"] text: nothing -> "1"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!((count.get(), host.0.elapsed().as_secs()), (1, 0));
}

fn not_until(condition: impl Into<Value>, seconds: u64) -> Handling {
    let not_until = NotUntil { guard: guard(true, condition), every: Duration::from_secs(seconds) };
    Handling { not_until: Some(not_until), ..Handling::default() }
}

#[test]
fn any_resource_can_wait_for_a_condition() {
    let (host, count) = counting(&[1, 1, 0]);
    same(
        &note("/d/a", "1").handled(not_until("count", 30)).run(&host, Apply),
        r#"note["/d/a"] waits: "count" does not hold, again after 30s
        note["/d/a"] waits: "count" does not hold, again after 30s
        + note["/d/a"] text: nothing -> "1"
        0 ok, 1 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(count.get(), 3);
}

/// A command that cannot be run, or not yet, counts as false.
#[test]
fn a_condition_that_cannot_be_evaluated_is_false() {
    let words = Value::list([Value::text("later")]);
    let handling = Handling { timeout: Some(Duration::from_secs(3)), ..not_until(words, 2) };
    let transcript = note("/d/a", "1").handled(handling).run(&SharedHost::new(), Apply);
    assert_eq!(transcript.matches("waits: its `not_until` does not hold").count(), 2, "{transcript}");
    assert!(transcript.contains("x note[\"/d/a\"] not ready after 3s"), "{transcript}");
}

#[test]
fn guards_are_evaluated_after_the_wait() {
    let (host, count) = counting(&[1, 0]);
    let handling = Handling { guards: only_if("test -e /d/no").guards, ..not_until("count", 1) };
    let transcript = note("/d/a", "1").handled(handling).run(&host, Apply);
    assert!(transcript.contains("o note[\"/d/a\"] only_if test -e /d/no"), "{transcript}");
    assert_eq!(count.get(), 2);
}

#[test]
fn a_plan_shows_what_it_would_wait_for() {
    let transcript = note("/d/a", "1").handled(not_until("test -e /d/b", 30)).run(&SharedHost::new(), Plan);
    assert!(transcript.contains("; now: \"test -e /d/b\" does not hold"), "{transcript}");
}

#[test]
fn a_target_may_have_to_wait() {
    let (host, count) = counting(&[1, 0]);
    let notifies = vec![tell(&id("note", "/d/z"), "shout", Moment::Delayed)];
    let a = note("/d/a", "1").handled(Handling { notifies, ..Handling::default() });
    same(
        &a.and(idle("/d/z").handled(not_until("count", 5))).run(&host, Apply),
        r#"+ note["/d/a"] text: nothing -> "1"
        note["/d/z"] waits: "count" does not hold, again after 5s
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(count.get(), 2);
}

/// With workers, time passes when all of them wait.
#[test]
fn many_resources_wait_at_the_same_time() {
    let (host, _) = counting(&[75, 75, 75, 75, 0]);
    let tools = (0..4).map(|i| tool(&format!("t{i}"), "count", "true"));
    let transcript =
        Script::all(tools).run_with(&builder(&host).jobs(4.try_into().expect("not zero")), Apply);
    assert!(transcript.ends_with("4 ok, 0 changed, 0 failed, 0 skipped\n"), "{transcript}");
    assert_eq!(host.0.elapsed().as_secs(), 2, "all four waited at one time");
}

/// A stop does not wait for waiting resources.
#[test]
fn a_stop_ends_all_waits() {
    for jobs in [1, 4] {
        let count = Count::default();
        let host = SharedHost::with(|host| with_count(host, &count, &[75, 2]));
        let stop = Stop::default();
        let engine = builder(&host).stop(stop.clone()).jobs(jobs.try_into().expect("not zero"));
        let script = Script::all([tool("t", "count", "true"), note("/d/b", "2").after(&id("tool", "t"))]);
        let (program, transcript) = script.check(&engine);
        let program = program.unwrap_or_else(|| panic!("{transcript}"));
        let request: Request<'_> = Apply.into();
        let summary = engine.run(&program, request, &mut |event| {
            if matches!(event.kind, EventKind::Waiting { .. }) {
                stop.request();
            }
        });
        assert_eq!((summary.skipped, summary.failed), (2, 0), "{jobs} jobs");
        assert_eq!(count.get(), 1, "it is not visited again");
        assert_eq!(host.0.elapsed(), Duration::ZERO, "and nobody waited");
    }
}

#[test]
fn a_stop_ends_the_wait_for_a_retry_and_skips_delayed_notifications() {
    let count = Count::default();
    let host = SharedHost::with(|host| with_count(host, &count, &[2]));
    let stop = Stop::default();
    let engine = builder(&host).stop(stop.clone());
    let flaky = tool("t", "count", "true")
        .handled(Handling { retry: Some(uphold_model::Retry::times(5)), ..Handling::default() });
    let a = note("/d/a", "1").handled(notifies(&[("/d/z", Moment::Delayed)]));
    let (program, transcript) = Script::all([flaky, a, idle("/d/z")]).check(&engine);
    let program = program.unwrap_or_else(|| panic!("{transcript}"));
    let mut skipped = Vec::new();
    engine.run(&program, Apply, &mut |event| match &event.kind {
        EventKind::Finished { resource, verdict: Verdict::Skipped(Skip::Stopped), .. } => {
            skipped.push(resource.to_string());
        }
        EventKind::Finished { resource, .. } if &*resource.name == "/d/a" => stop.request(),
        _ => {}
    });
    assert_eq!(skipped, ["tool.t", "note[\"/d/z\"]"]);
    assert_eq!(count.get(), 1);
}
