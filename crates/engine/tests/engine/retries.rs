//! Retries after a failure, and ignored failures.

use std::time::Duration;

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::Request;
use uphold_model::{Handling, Retry};

use super::around::{counting, tool};
use super::check::SharedHost;
use super::script::{Script, handled_group, id, note, same};

fn retrying(retry: Retry) -> Handling {
    Handling { retry: Some(retry), ..Handling::default() }
}

#[test]
fn it_is_retried_until_it_succeeds_and_waits_in_between() {
    let (host, count) = counting(&[2, 2, 0]);
    let retry = Retry { delay: Duration::from_secs(10), backoff: 2.0, ..Retry::times(5) };
    let script = tool("t", "test -e /d/t", "count && touch /d/t").handled(retrying(retry));
    same(
        &script.and(note("/d/a", "1").after(&id("tool", "t"))).run(&host, Apply),
        r#"tool.t failed 1, again after 10s: the tool says failed
        tool.t failed 2, again after 20s: the tool says failed
        ~ tool.t done: false -> true
        + note["/d/a"] text: nothing -> "1"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!((count.get(), elapsed(&host)), (3, 30));
}

fn elapsed(host: &SharedHost) -> u64 {
    use uphold_resource::Clock;
    host.0.elapsed().as_secs()
}

#[test]
fn others_go_on_meanwhile_and_dependents_wait() {
    let (host, _) = counting(&[2, 0]);
    let flaky = tool("t", "test -e /d/t", "count && touch /d/t").handled(retrying(Retry::times(1)));
    let after = note("/d/a", "1").after(&id("tool", "t"));
    let transcript = Script::all([flaky, after, note("/d/b", "2")]).run(&host, Apply);
    let order: Vec<&str> = transcript.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(order, ["failed", "note[\"/d/b\"]", "tool.t", "note[\"/d/a\"]", "ok,"], "{transcript}");
}

#[test]
fn a_failed_load_is_retried_as_well() {
    let (host, count) = counting(&[2, 0]);
    let transcript = tool("t", "count", "true").handled(retrying(Retry::times(1))).run(&host, Apply);
    assert!(transcript.ends_with("= tool.t\n1 ok, 0 changed, 0 failed, 0 skipped\n"), "{transcript}");
    assert_eq!(count.get(), 2);
}

/// Denied is status 3 of a tool, invalid 4.
#[test]
fn only_temporary_and_listed_failures_are_retried() {
    let tries = |statuses: &'static [i32], on: &[&str]| {
        let (host, count) = counting(statuses);
        let on = on.iter().map(|word| (*word).into()).collect();
        tool("t", "count", "true").handled(retrying(Retry { on, ..Retry::times(2) })).run(&host, Apply);
        count.get()
    };
    assert_eq!(tries(&[2], &[]), 3);
    assert_eq!(tries(&[3], &[]), 3);
    assert_eq!(tries(&[4], &[]), 1, "what breaks a rule does not mend itself");
    assert_eq!(tries(&[2], &["denied"]), 1);
    assert_eq!(tries(&[3], &["denied"]), 3);
    assert_eq!(tries(&[3, 2], &["denied"]), 2);
}

#[test]
fn a_plan_tries_once() {
    let (host, count) = counting(&[2]);
    let transcript = tool("t", "count", "true").handled(retrying(Retry::times(5))).run(&host, Plan);
    assert!(transcript.contains("x tool.t"), "{transcript}");
    assert_eq!((count.get(), elapsed(&host)), (1, 0));
}

/// Several attempts are one change.
#[test]
fn retries_count_as_one_change() {
    let (host, _) = counting(&[2, 2, 0]);
    let flaky = tool("t", "test -e /d/t", "count && touch /d/t").handled(retrying(Retry::times(5)));
    let request = Request { max_changes: Some(1), ..Apply.into() };
    let transcript = flaky.run(&host, request);
    assert!(transcript.ends_with("0 ok, 1 changed, 0 failed, 0 skipped\n"), "{transcript}");
}

fn ignoring() -> Handling {
    Handling { ignore_failure: true, ..Handling::default() }
}

#[test]
fn an_ignored_failure_blocks_no_dependents() {
    let script = || tool("t", "exit 2", "true");
    let after = || note("/d/a", "1").after(&id("tool", "t"));
    let expected = r#"i tool.t the tool says failed []
        + note["/d/a"] text: nothing -> "1"
        0 ok, 1 changed, 0 failed, 0 skipped, 1 ignored"#;
    same(&script().handled(ignoring()).and(after()).run(&SharedHost::new(), Apply), expected);
    same(&handled_group(ignoring(), [script()]).and(after()).run(&SharedHost::new(), Apply), expected);
    let outer = handled_group(ignoring(), [handled_group(Handling::default(), [script()])]);
    same(&outer.and(after()).run(&SharedHost::new(), Apply), expected);
}

#[test]
fn it_is_retried_before_it_is_ignored() {
    let (host, count) = counting(&[2]);
    let handling = Handling { retry: Some(Retry::times(2)), ..ignoring() };
    let transcript = tool("t", "count", "true").handled(handling).run(&host, Apply);
    assert!(transcript.ends_with("1 ignored\n"), "{transcript}");
    assert_eq!(count.get(), 3);
}
