//! What events amount to.

use std::time::Duration;

use uphold_engine::{Cause, Change, EventKind, Keep, Mode, Program, Skip, Unwanted, Verdict, Wake};
use uphold_memory::MemoryHost;
use uphold_model::{
    Action, Declaration, DifferenceCause, DifferenceCauses, Meta, ResourceId, Statement, ThinVec, Trigger,
};
use uphold_resource::{Act, Found, Look, Registry, Resource, Result, Step};
use uphold_status::{MOST_EVENTS, Phase, ResourceStatus, State, StatusModel, WatchEventKind};

use crate::happened::{BEGAN, Story, blocked, change, failed, file, paused, reported, written};

fn one(board: &StatusModel, name: &str) -> ResourceStatus {
    board.details(&file(name)).into_iter().next().expect("it is on the board")
}

fn happenings(board: &StatusModel) -> Vec<String> {
    let shown = |kind: &WatchEventKind| match kind {
        WatchEventKind::Repaired { properties, .. } => format!("repaired {}", properties.join("+")),
        WatchEventKind::Failed { message } => format!("failed {message}"),
        other => other.word().to_owned(),
    };
    board.overview(0).events.iter().map(|happening| shown(&happening.kind)).collect()
}

/// A kind that is always as declared.
#[derive(Debug, Clone, Resource)]
#[resource(kind = "still", permanent)]
struct Still {
    /// What it is called.
    #[name]
    name: String,
}

impl Resource for Still {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(StillState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

/// A program that converges these, in this order.
fn program(names: &[&str]) -> Program {
    let statement = |name: &&str| {
        let id = ResourceId::new("still", *name);
        let declaration =
            Declaration { id: id.clone(), place: None, attributes: Box::default(), meta: Meta::default() };
        let trigger =
            Trigger { id, action: Action::Converge, place: None, depends_on: ThinVec::default(), when: None };
        [Statement::Declare(declaration), Statement::Trigger(trigger)]
    };
    let mut kinds = Registry::default();
    kinds.add::<Still>().expect("a sound kind");
    let (program, found) = Program::check(
        names.iter().flat_map(statement).collect(),
        &kinds,
        &MemoryHost::new().act(),
        Keep::All,
    );
    program.unwrap_or_else(|| panic!("{found:?}"))
}

#[test]
fn a_verdict_sets_the_state() {
    let check = |verdict: Verdict, word: &str, text: &str| {
        let mut story = Story::new();
        story.visit("/a", Cause::Written, verdict);
        let state = one(&story.board, "/a").state;
        assert_eq!((state.word(), state.to_string().as_str()), (word, text));
    };
    check(Verdict::Unchanged, "ok", "as declared");
    check(Verdict::Changed(change(&["mode"])), "ok", "as declared");
    check(Verdict::Differs(change(&["mode", "owner"])), "differs", "differs: mode, owner");
    check(paused(change(&["mode", "owner"])), "paused", "paused by ann: mode, owner");
    check(paused(change(&[])), "paused", "paused by ann");
    check(failed("cannot write /a"), "failed", "failed: cannot write /a: permission denied");
    check(blocked("/b"), "blocked", "blocked, because file[\"/b\"] failed");
    check(Verdict::NotWanted(Unwanted::When), "skipped", "skipped: its `when` is false");
    check(Verdict::Skipped(Skip::Stopped), "not_visited", "not visited yet");
}

#[test]
fn only_changes_from_outside_are_drift() {
    let check = |cause: Cause, before: Verdict, drifted: u32| {
        let mut story = Story::new();
        story.visit("/a", Cause::Written, before);
        story.visit("/a", cause, Verdict::Changed(change(&["content"])));
        let status = one(&story.board, "/a");
        assert_eq!((status.changes, status.drifted, status.repaired), (1, drifted, drifted), "{status:?}");
    };
    check(reported("/a"), Verdict::Unchanged, 1);
    check(Cause::Woken(Wake::Rechecked), Verdict::Unchanged, 1);
    check(Cause::Woken(Wake::Received(file("/b"))), Verdict::Unchanged, 0);
    check(Cause::Written, Verdict::Unchanged, 0);
    // It was never as declared, so that nothing took it away from there.
    check(Cause::Woken(Wake::Retried), failed("no"), 0);
}

#[test]
fn an_audit_counts_each_drift_once() {
    let mut story = Story::new();
    story.converge(&["/a"]);
    for verdict in [Verdict::Differs(change(&["mode"])), Verdict::Differs(change(&["mode"]))] {
        story.visit("/a", reported("/a"), verdict);
    }
    assert_eq!((one(&story.board, "/a").drifted, one(&story.board, "/a").repaired), (1, 0));
    story.visit("/a", reported("/a"), Verdict::Unchanged);
    story.visit("/a", reported("/a"), Verdict::Differs(change(&["mode"])));
    assert_eq!(one(&story.board, "/a").drifted, 2);
    assert_eq!(story.board.overview(9).totals.differs, 1);
}

/// Drift is counted when it is found, and not again when it is repaired after the pause.
#[test]
fn drift_of_a_paused_resource_counts_once() {
    let mut story = Story::new();
    story.converge(&["/a"]);
    for _ in 0..2 {
        story.visit("/a", reported("/a"), paused(change(&["mode"])));
    }
    assert_eq!(story.board.overview(9).totals.paused, 1);
    story.visit("/a", Cause::Woken(Wake::Resumed), Verdict::Changed(change(&["mode"])));
    let status = one(&story.board, "/a");
    assert_eq!((status.drifted, status.changes, story.board.overview(9).totals.paused), (1, 1, 0));
    assert_eq!(happenings(&story.board), ["watching", "drifted", "changed"]);
}

#[test]
fn a_failure_and_its_end_are_reported_once() {
    let mut story = Story::new();
    story.converge(&["/a"]);
    story.visit("/a", reported("/a"), failed("no"));
    story.tell(EventKind::BackingOff { resource: file("/a"), failures: 1, after: Duration::from_secs(9) });
    let status = one(&story.board, "/a");
    let next = status.next_attempt.expect("it is tried again");
    assert_eq!((next.at, next.reason.as_str()), (story.now + Duration::from_secs(9), "it failed"));
    story.visit("/a", Cause::Woken(Wake::Retried), failed("no"));
    assert_eq!(one(&story.board, "/a").failures, 2);
    story.visit("/a", Cause::Woken(Wake::Retried), Verdict::Changed(change(&["content"])));
    let status = one(&story.board, "/a");
    assert_eq!((status.failures, status.drifted, status.next_attempt), (0, 1, None));
    let expected = ["watching", "failed no: permission denied", "repaired content", "recovered"];
    assert_eq!(happenings(&story.board), expected);
}

#[test]
fn totals_follow_every_change_of_state() {
    let mut story = Story::new();
    story.converge(&["/a", "/b", "/c"]);
    story.visit("/b", reported("/b"), failed("no"));
    story.visit("/c", reported("/c"), blocked("/b"));
    let blind =
        EventKind::Blind { resource: file("/a"), because: "x".to_owned(), every: Duration::from_secs(1) };
    story.tell(blind);
    story.tell(EventKind::Started { resource: file("/a"), action: Action::Converge, cause: Cause::Written });
    let overview = story.board.overview(2);
    let totals = overview.totals;
    assert_eq!((totals.all, totals.ok, totals.failed, totals.blocked), (3, 1, 1, 1));
    assert_eq!((totals.busy, totals.polled, totals.pending, totals.visits), (1, 1, 1, 4));
    let troubles: Vec<&str> = overview.problems.iter().map(|trouble| &*trouble.resource.name).collect();
    assert_eq!((troubles, overview.more_problems), (vec!["/a", "/b"], 1));
    assert_eq!(overview.busy.len(), 1);
    story.tell(EventKind::Sighted { resource: file("/a") });
    let overview = story.board.overview(9);
    assert_eq!((overview.totals.polled, overview.problems.len()), (0, 2), "it can be watched again");
}

#[test]
fn a_change_has_properties_and_a_cause_but_no_values() {
    let mut story = Story::new();
    story.converge(&["/a"]);
    story.visit("/a", reported("/etc/a"), Verdict::Changed(change(&["content", "mode"])));
    let status = one(&story.board, "/a");
    let last = status.last_change.expect("it was changed");
    assert_eq!(
        (last.properties.join(" "), last.cause.message.as_str()),
        ("content mode".to_owned(), "/etc/a changed")
    );
    let visit = status.last_visit.expect("it was visited");
    assert_eq!((visit.duration, &*visit.cause.reason), (Duration::from_micros(1_500), "change_detected"));
    let all = written(&story.board.snapshot());
    assert!(!all.contains("hunter") && !format!("{:?}", story.board).contains("hunter"));
}

/// Only the journal knows that the resource was as declared before.
#[test]
fn drift_that_a_reload_finds_is_repaired() {
    let mut story = Story::new();
    let causes = DifferenceCauses { whole: DifferenceCause::Drift, each: Vec::new() };
    let found = Change { causes, ..change(&["content"]) };
    story.visit("/a", Cause::Written, Verdict::Changed(found));
    story.visit("/b", Cause::Written, Verdict::Changed(change(&["content"])));
    assert_eq!(happenings(&story.board), ["repaired content", "changed"]);
}

#[test]
fn the_phase_is_that_of_the_run() {
    let mut story = Story::new();
    assert_eq!(story.board.overview(0).phase, Phase::Starting);
    story.tell(EventKind::RunStarted { mode: Mode::Apply, actions: 2 });
    story.visit("/a", Cause::Written, Verdict::Unchanged);
    assert_eq!(story.board.overview(0).phase, Phase::Converging { done: 1, of: 2 });
    story.tell(EventKind::Watching { resources: 2 });
    let since = story.now;
    assert_eq!(story.board.overview(0).phase, Phase::Watching { since });
    story.tell(EventKind::Swapped { generation: 1, kept: 2, visited: 0, left: 0 });
    story.tell(EventKind::RunStarted { mode: Mode::Apply, actions: 0 });
    story.tell(EventKind::Watching { resources: 2 });
    assert_eq!(story.board.overview(0).phase, Phase::Watching { since }, "a reload does not reset it");
    assert_eq!(happenings(&story.board), ["watching"], "a reload without changes is no event");
    assert_eq!(story.board.overview(0).generation, 1);
}

#[test]
fn a_failed_reload_is_shown_until_it_is_fixed() {
    let mut story = Story::new();
    story.board.reload_failed("main.hcl:1: no such kind", story.now);
    let refused = story.board.overview(0).reload_error.expect("it was refused");
    assert_eq!(refused.message, "main.hcl:1: no such kind");
    story.tell(EventKind::Swapped { generation: 1, kept: 3, visited: 1, left: 0 });
    let overview = story.board.overview(0);
    assert_eq!(
        (overview.reload_error, overview.generation, overview.reloaded_at),
        (None, 1, Some(story.now))
    );
    assert_eq!((overview.totals.reload_failures, overview.totals.reloads), (1, 1));
}

#[test]
fn resources_are_in_source_order() {
    let board = StatusModel::new(BEGAN);
    board.hold(&program(&["b", "a"]));
    let snapshot = board.snapshot();
    let names: Vec<&str> = snapshot.resources.iter().map(|status| &*status.resource.name).collect();
    assert_eq!(names, ["b", "a"]);
    assert!(snapshot.resources.iter().all(|status| status.state == State::Waiting && status.is_pending()));
    board.hold(&program(&["a", "c"]));
    let names: Vec<String> =
        board.page("", 0, 9).resources.iter().map(|one| one.resource.to_string()).collect();
    assert_eq!(names, ["still.a", "still.c"]);
}

#[test]
fn a_page_is_a_part_of_the_matches() {
    let mut story = Story::new();
    story.converge(&["/etc/a", "/etc/b", "/srv/c", "/ETC/d"]);
    let check = |containing: &str, skip: usize, take: usize, names: &[&str], of: usize| {
        let page = story.board.page(containing, skip, take);
        let shown: Vec<&str> = page.resources.iter().map(|status| &*status.resource.name).collect();
        assert_eq!((shown.as_slice(), page.of), (names, of), "{containing} {skip} {take}");
    };
    check("", 1, 2, &["/etc/b", "/srv/c"], 4);
    check("/Etc", 0, 9, &["/etc/a", "/etc/b", "/ETC/d"], 3);
    check("/etc", 2, 9, &["/ETC/d"], 3);
    check("", 9, 9, &[], 4);
    check("none", 0, 9, &[], 0);
}

#[test]
fn the_model_does_not_grow_with_time() {
    let mut story = Story::new();
    story.converge(&["/a"]);
    for at in 0..10 * MOST_EVENTS {
        story.visit("/a", reported(&format!("/{at}")), Verdict::Changed(change(&["mode"])));
    }
    let overview = story.board.overview(9);
    assert_eq!((overview.events.len(), overview.totals.all), (MOST_EVENTS, 1));
    assert_eq!(overview.totals.drifted, 10 * MOST_EVENTS as u64);
}
