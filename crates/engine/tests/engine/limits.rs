//! Limits of a run: changes, failures, time of commands, approval and stop.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::{Approval, Change, Request};
use uphold_model::{Action, Guard, Handling, Moment, ResourceId, Value};

use super::around::{guard, guarded, idle, notifies, tool};
use super::check::{SharedHost, engine};
use super::script::{Script, block, declare, id, note, same, trigger};

#[test]
fn after_the_maximum_of_changes_the_rest_is_skipped() {
    let host = SharedHost::with(|host| host.file("/d/same", "1", 0o644));
    let request = Request { max_changes: Some(2), ..Apply.into() };
    let after = note("/d/e", "1").after(&id("note", "/d/c"));
    let names = ["/d/a", "/d/same", "/d/b", "/d/c"];
    same(
        &Script::all(names.map(|name| note(name, "1"))).and(after).run(&host, request),
        r#"+ note["/d/a"] text: nothing -> "1"
        = note["/d/same"]
        + note["/d/b"] text: nothing -> "1"
        s note["/d/c"] after too many changes
        s note["/d/e"] because of note["/d/c"]
        1 ok, 2 changed, 0 failed, 2 skipped"#,
    );
    assert_eq!(host.text("/d/c"), None);
}

#[test]
fn with_many_workers_the_number_of_changes_is_exact() {
    let host = SharedHost::new();
    let request = Request { max_changes: Some(7), ..Apply.into() };
    let all = (0..40).map(|i| note(&format!("/d/{i}"), "1"));
    let transcript = Script::all(all).run_with(&engine(&host, 8), request);
    assert!(transcript.ends_with("0 ok, 7 changed, 0 failed, 33 skipped\n"), "{transcript}");
}

#[test]
fn notified_actions_belong_to_their_change() {
    let script = || {
        note("/d/a", "1")
            .handled(notifies(&[("/d/z", Moment::Delayed)]))
            .and(idle("/d/z"))
            .and(note("/d/b", "1"))
    };
    let one = |mode: uphold_engine::Mode| Request { max_changes: Some(1), ..mode.into() };
    let expected = r#"+ note["/d/a"] text: nothing -> "1"
        s note["/d/b"] after too many changes
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        0 ok, 2 changed, 0 failed, 1 skipped"#;
    same(&script().run(&SharedHost::new(), one(Apply)), expected);
    let planned: String =
        expected.lines().filter(|line| !line.contains("says")).map(|line| format!("{line}\n")).collect();
    same(&script().run(&SharedHost::new(), one(Plan)), &planned);
    let none = Request { max_changes: Some(0), ..Apply.into() };
    assert!(script().run(&SharedHost::new(), none).contains("0 changed, 0 failed, 2 skipped"));
}

#[test]
fn after_the_maximum_of_failures_nothing_new_starts() {
    let bad = |name: &str| block(id("bad", name));
    let script = || Script::all([bad("1"), note("/d/a", "1"), bad("2"), note("/d/b", "1"), bad("3")]);
    let run = |most| {
        let request = Request { stop_after_failures: NonZeroUsize::new(most), ..Apply.into() };
        script().run(&SharedHost::new(), request)
    };
    assert!(run(1).ends_with("0 ok, 0 changed, 1 failed, 4 skipped\n"), "{}", run(1));
    assert!(run(2).ends_with("0 ok, 1 changed, 2 failed, 2 skipped\n"), "{}", run(2));
    assert!(run(3).ends_with("0 ok, 2 changed, 3 failed, 0 skipped\n"), "{}", run(3));
    assert!(run(1).contains("s note[\"/d/a\"] after too many failures"), "{}", run(1));
}

/// Records the requests for approval, and refuses `/d/no`.
#[derive(Default)]
struct Clerk(Mutex<Vec<String>>);

impl Approval for Clerk {
    fn approve(
        &self,
        _: u32,
        resource: &ResourceId,
        action: &Action,
        change: Option<&Change>,
    ) -> Result<(), String> {
        let differences = change.map(|change| change.differences.len());
        self.0
            .lock()
            .expect("no thread panicked")
            .push(format!("{} {action} {differences:?}", resource.name));
        if &*resource.name == "/d/no" { Err("it was to be updated".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn a_refused_change_is_not_made() {
    let host = SharedHost::with(|host| host.file("/d/same", "1", 0o644));
    let clerk = Clerk::default();
    let request = Request { approval: Some(&clerk), ..Apply.into() };
    let transcript = notifies(&[("/d/z", Moment::Delayed)]);
    let script = Script::all([
        note("/d/same", "1"),
        note("/d/a", "1").handled(transcript),
        note("/d/no", "1"),
        note("/d/b", "1").after(&id("note", "/d/no")),
        idle("/d/z"),
    ]);
    same(
        &script.clone().run(&host, request),
        r#"= note["/d/same"]
        + note["/d/a"] text: nothing -> "1"
        s note["/d/no"] not as planned: it was to be updated
        s note["/d/b"] because of note["/d/no"]
        note["/d/z"] says /d/z!
        ! note["/d/z"].shout (delayed note["/d/a"])
        1 ok, 2 changed, 0 failed, 2 skipped"#,
    );
    assert_eq!(host.text("/d/no"), None);
    let asked = clerk.0.lock().expect("no thread panicked").join(", ");
    assert_eq!(
        asked,
        "/d/same converge None, /d/a converge Some(1), /d/no converge Some(1), /d/z shout Some(0)"
    );
}

#[test]
fn a_plan_needs_no_approval() {
    let clerk = Clerk::default();
    let request = Request { approval: Some(&clerk), ..Plan.into() };
    assert!(note("/d/no", "1").run(&SharedHost::new(), request).contains("1 changed"));
    assert!(clerk.0.lock().expect("no thread panicked").is_empty());
}

/// The timeout of each command, in seconds; each takes ten.
fn timed() -> (SharedHost, Arc<Mutex<Vec<u64>>>) {
    let given: Arc<Mutex<Vec<u64>>> = Arc::default();
    let seen = Arc::clone(&given);
    let host = SharedHost::with(|host| {
        host.program("/bin/sh", move |call| {
            let seconds = call.command.timeout.map_or(0, |timeout| timeout.as_secs());
            seen.lock().expect("no thread panicked").push(seconds);
            call.host.advance(Duration::from_secs(10));
            call.succeed("")
        })
    });
    (host, given)
}

#[test]
fn commands_get_the_remaining_time() {
    let check = |handling: Handling, expected: &[u64]| {
        let (host, given) = timed();
        tool("t", "look", "make").handled(handling).run(&host, Apply);
        assert_eq!(*given.lock().expect("no thread panicked"), expected);
    };
    let timeout = Some(Duration::from_secs(25));
    check(Handling::default(), &[3600]);
    check(Handling { timeout, ..Handling::default() }, &[25]);
    let two = || guarded([guard(true, "a"), guard(true, "b")]);
    check(two(), &[60, 60, 3600]);
    check(Handling { timeout, ..two() }, &[25, 15, 5]);
    let mut short = two();
    short.guards = vec![Guard { command: limited(7), ..guard(true, Value::text("a")) }];
    check(Handling { timeout, ..short }, &[7, 15]);
}

/// Commands that change something have the same limit as read-only ones.
#[test]
fn changing_commands_are_limited_as_well() {
    let check = |timeout: Option<Duration>, expected: &[u64]| {
        let (host, given) = timed();
        let t = id("tool", "t");
        let script = declare(t.clone()).handled(Handling { timeout, ..Handling::default() });
        script.and(trigger(&t, "run")).run(&host, Apply);
        assert_eq!(*given.lock().expect("no thread panicked"), expected);
    };
    check(None, &[3600]);
    check(Some(Duration::from_secs(25)), &[25]);
}

fn limited(seconds: u64) -> uphold_model::GuardCommand {
    let timeout = Some(Duration::from_secs(seconds));
    uphold_model::GuardCommand { timeout, ..uphold_model::GuardCommand::default() }
}
