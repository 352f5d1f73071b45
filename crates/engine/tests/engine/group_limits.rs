//! The number of members of a group that run at the same time.

use std::num::NonZeroU32;

use uphold_engine::EventKind;
use uphold_engine::Mode::Apply;
use uphold_model::{ActionGroup, Order};

use super::around::{counting, tool};
use super::check::{SharedHost, engine};
use super::gauge::Gauge;
use super::script::{Script, block, grouped, id, note, parallel, sequence};

fn limited(most: u32, members: impl IntoIterator<Item = Script>) -> Script {
    let concurrency = NonZeroU32::new(most);
    grouped(ActionGroup { concurrency, ..ActionGroup::new(Order::Parallel) }, members)
}

fn working(count: usize) -> impl Iterator<Item = Script> {
    (0..count).map(|i| tool(&format!("t{i}"), "work", "true"))
}

/// The most at the same time with eight jobs.
#[track_caller]
fn most(wanted: usize, script: Script) -> usize {
    let gauge = Gauge::new(wanted);
    let host = SharedHost::with(|host| gauge.on(host));
    let transcript = script.run_with(&engine(&host, 8), Apply);
    assert!(transcript.contains("0 failed, 0 skipped"), "{transcript}");
    gauge.read().0
}

/// Starts and ends, in order: `+a -a`.
fn story(script: Script, host: &SharedHost, jobs: usize) -> String {
    let engine = engine(host, jobs);
    let (program, transcript) = script.check(&engine);
    let program = program.unwrap_or_else(|| panic!("{transcript}"));
    let mut story = Vec::new();
    engine.run(&program, Apply, &mut |event| match &event.kind {
        EventKind::Started { resource, .. } => story.push(format!("+{}", resource.name)),
        EventKind::Finished { resource, .. } => story.push(format!("-{}", resource.name)),
        _ => {}
    });
    story.join(" ")
}

#[test]
fn no_more_members_run_than_allowed() {
    assert_eq!(most(3, limited(3, working(10))), 3);
    assert_eq!(most(1, limited(1, working(5))), 1);
    assert_eq!(most(8, limited(100, working(12))), 8, "the run has a limit, too");
}

#[test]
fn resources_outside_the_group_do_not_count() {
    let outside = (0..3).map(|i| tool(&format!("o{i}"), "work", "true"));
    assert_eq!(most(5, limited(2, working(8)).and(Script::all(outside))), 5);
}

#[test]
fn members_start_in_declared_order() {
    let members = |_: usize| (0..5).map(|i| tool(&format!("t{i}"), "true", "true"));
    let expected = "+t0 -t0 +t1 -t1 +t2 -t2 +t3 -t3 +t4 -t4";
    assert_eq!(story(limited(1, members(0)), &SharedHost::new(), 8), expected);
    assert_eq!(story(sequence(members(0)), &SharedHost::new(), 8), expected);
    assert_eq!(story(limited(3, members(0)), &SharedHost::new(), 1), expected);
}

/// A nested group is one member: it runs until its last member has ended.
#[test]
fn a_nested_group_is_one_member() {
    let pair = |name: &str| {
        parallel([tool(&format!("{name}1"), "work", "true"), tool(&format!("{name}2"), "work", "true")])
    };
    assert_eq!(most(2, limited(1, [pair("a"), pair("b"), pair("c")])), 2);
    let sequence = |name: &str| {
        sequence([tool(&format!("{name}1"), "true", "true"), tool(&format!("{name}2"), "true", "true")])
    };
    let nested = limited(1, [sequence("a"), sequence("b")]);
    assert_eq!(story(nested, &SharedHost::new(), 8), "+a1 -a1 +a2 -a2 +b1 -b1 +b2 -b2");
}

#[test]
fn nested_limits_apply_together() {
    let inner = |from: usize| limited(2, (from..from + 4).map(|i| tool(&format!("t{i}"), "work", "true")));
    assert_eq!(most(4, limited(2, [inner(0), inner(10), inner(20)])), 4);
}

/// The only place is held by a member that waits for another one, which waits for a place.
#[test]
fn dependencies_across_members_do_not_deadlock() {
    for jobs in [1, 8] {
        let tool = |name: &str| tool(name, "true", "true");
        let first = sequence([tool("x"), tool("y").after(&id("tool", "outside"))]);
        let script = limited(1, [first, tool("w")]).and(tool("outside").after(&id("tool", "w")));
        let transcript = story(script, &SharedHost::new(), jobs);
        assert_eq!(transcript, "+x -x +w -w +outside -outside +y -y", "{jobs} jobs");
    }
}

/// A place that was lent is not free for others.
#[test]
fn a_member_that_goes_ahead_frees_no_place() {
    let outside = tool("outside", "true", "true").after(&id("tool", "t0"));
    let first =
        sequence([tool("x", "true", "true"), tool("y", "work", "true").after(&id("tool", "outside"))]);
    let members = [first].into_iter().chain(working(6));
    assert_eq!(most(1, limited(1, members).and(outside)), 1);
}

#[test]
fn a_member_keeps_its_place_while_it_waits() {
    let (host, _) = counting(&[75, 0]);
    let script = limited(1, [tool("a", "count", "true"), tool("b", "true", "true")]);
    assert_eq!(story(script, &host, 4), "+a -a +b -b");
}

#[test]
fn failed_and_skipped_members_free_their_place() {
    let script = limited(
        1,
        [
            block(id("bad", "a")),
            note("/d/b", "1").after(&id("bad", "a")),
            note("/d/c", "1"),
            note("/d/e", "1"),
        ],
    );
    let transcript = script.run(&SharedHost::new(), Apply);
    assert!(transcript.contains("2 changed, 1 failed, 1 skipped"), "{transcript}");
}
