//! Locks, and the number of jobs.

use std::num::NonZeroU32;

use uphold_engine::Mode::Apply;
use uphold_model::Moment::Immediately;
use uphold_model::{Handling, Lock};

use super::around::{counting, idle_tool, tell, tool};
use super::check::{SharedHost, engine};
use super::gauge::Gauge;
use super::script::{Script, id, note};

fn lock(name: &str, most: u32) -> Lock {
    Lock { name: name.into(), most: NonZeroU32::new(most).expect("not zero") }
}

fn locking(locks: Vec<Lock>) -> Handling {
    Handling { locks, ..Handling::default() }
}

/// The most tools at the same time with these locks.
#[track_caller]
fn most(jobs: usize, tools: usize, wanted: usize, locks: impl Fn(usize) -> Vec<Lock>) -> usize {
    let gauge = Gauge::new(wanted);
    let host = SharedHost::with(|host| gauge.on(host));
    let all = (0..tools).map(|i| tool(&format!("t{i}"), "work", "true").handled(locking(locks(i))));
    let transcript = Script::all(all).run_with(&engine(&host, jobs), Apply);
    assert!(transcript.contains(&format!("{tools} ok")), "{transcript}");
    assert_eq!(gauge.read().1, tools);
    gauge.read().0
}

#[test]
fn no_more_visits_run_than_there_are_jobs() {
    assert_eq!(most(4, 12, 4, |_| Vec::new()), 4);
    assert_eq!(most(1, 3, 1, |_| Vec::new()), 1);
}

#[test]
fn a_lock_admits_as_many_as_its_capacity() {
    assert_eq!(most(8, 10, 1, |_| vec![lock("a", 1)]), 1);
    assert_eq!(most(8, 10, 3, |_| vec![lock("a", 3)]), 3);
}

#[test]
fn locks_of_different_names_are_independent() {
    assert_eq!(most(8, 8, 2, |i| vec![lock(["a", "b"][i % 2], 1)]), 2);
}

/// A resource with several locks takes all or none, so that there is no deadlock.
#[test]
fn several_locks_are_taken_at_once() {
    assert_eq!(most(8, 12, 1, |i| vec![lock(["a", "b"][i % 2], 1), lock(["b", "a"][i % 2], 1)]), 1);
    assert_eq!(most(8, 12, 2, |i| vec![lock("all", 2), lock(["a", "b"][i % 2], 1)]), 2);
    assert_eq!(most(8, 4, 1, |_| vec![lock("a", 1), lock("a", 1)]), 1);
}

/// A resource that waits for its next check holds no lock.
#[test]
fn a_lock_is_not_held_while_its_holder_waits() {
    let (host, _) = counting(&[75, 0]);
    let waiting = tool("t", "count", "true").handled(locking(vec![lock("a", 1)]));
    let other = tool("u", "true", "true").handled(locking(vec![lock("a", 1)]));
    let transcript = waiting.and(other).run(&host, Apply);
    let order: Vec<&str> = transcript.lines().filter(|line| line.starts_with('=')).collect();
    assert_eq!(order, ["= tool.u", "= tool.t"], "{transcript}");
}

/// Resources get a lock in declared order, also with many workers.
#[test]
fn a_lock_is_granted_in_declared_order() {
    let host = SharedHost::new();
    let all = (0..40).map(|i| tool(&format!("t{i:02}"), "true", "true").handled(locking(vec![lock("a", 1)])));
    let transcript = Script::all(all).run_with(&engine(&host, 8), Apply);
    let order: Vec<&str> = transcript.lines().filter(|line| line.starts_with('=')).collect();
    assert!(order.is_sorted() && order.len() == 40, "{transcript}");
}

/// Two actions on one resource can be notified at the same time.
#[test]
fn never_two_visits_of_one_resource_at_a_time() {
    let gauge = Gauge::new(1);
    let host = SharedHost::with(|host| gauge.on(host));
    let notifies = || vec![tell(&id("tool", "z"), "run", Immediately)];
    let tell =
        |i| note(&format!("/d/{i}"), "1").handled(Handling { notifies: notifies(), ..Handling::default() });
    let all = (0..8).map(tell);
    let transcript = Script::all(all).and(idle_tool("z", "work")).run_with(&engine(&host, 8), Apply);
    assert!(transcript.contains("0 ok, 16 changed"), "{transcript}");
    assert_eq!(gauge.read(), (1, 8));
}
