//! Batches: resources of one kind that are changed together.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::Request;
use uphold_model::{Handling, Lock, Moment, Retry};
use uphold_testkit::MemoryHost;

use super::around::{idle, notifies, tool};
use super::check::{SharedHost, engine};
use super::script::{Script, block, id, note, same, sequence};

type Calls = Arc<Mutex<Vec<Vec<String>>>>;

/// Long enough for a worker to start work that it must not start.
const SHORT: Duration = Duration::from_millis(100);
/// Timeout for expected work.
const LONG: Duration = Duration::from_secs(5);

/// The number of batches started, of those running, and the most at the same time.
#[derive(Clone, Default)]
struct Goes(Arc<(Mutex<[usize; 3]>, Condvar)>);

impl Goes {
    /// Adds `pack`, which takes a while; `slow`, which waits a while for a batch; and `begun`, which waits for one.
    fn on(&self, host: MemoryHost) -> MemoryHost {
        let (pack, slow, begun) = (self.clone(), self.clone(), self.clone());
        host.program("pack", move |call| {
            pack.change(|[began, now, most]| [began + 1, now + 1, most.max(now + 1)]);
            pack.wait(SHORT, |[_, _, most]| most > 1);
            pack.change(|[began, now, most]| [began, now - 1, most]);
            call.succeed("")
        })
        .program("slow", move |call| {
            slow.wait(SHORT, |[began, ..]| began > 0);
            call.succeed("")
        })
        .program("begun", move |call| {
            begun.wait(LONG, |[began, ..]| began > 0);
            call.succeed("")
        })
    }

    fn change(&self, change: impl FnOnce([usize; 3]) -> [usize; 3]) {
        let mut state = self.0.0.lock().expect("no thread panicked");
        *state = change(*state);
        self.0.1.notify_all();
    }

    fn wait(&self, patience: Duration, until: impl Fn([usize; 3]) -> bool) {
        let state = self.0.0.lock().expect("no thread panicked");
        let waited = self.0.1.wait_timeout_while(state, patience, |state| !until(*state));
        drop(waited.expect("no thread panicked"));
    }
}

/// A machine with `pack`, and the arguments of its calls.
fn packing() -> (SharedHost, Calls) {
    let calls = Calls::default();
    let seen = Arc::clone(&calls);
    let host = SharedHost::with(|host| {
        host.program("pack", move |call| {
            seen.lock().expect("no thread panicked").push(call.command.args.clone());
            call.succeed("")
        })
    });
    (host, calls)
}

fn parcel(path: &str) -> Script {
    block(id("parcel", path)).set("text", "x")
}

fn sizes(calls: &Calls) -> Vec<usize> {
    calls.lock().expect("no thread panicked").iter().map(Vec::len).collect()
}

#[test]
fn ready_resources_are_changed_in_one_batch() {
    let (host, calls) = packing();
    let script = || Script::all([parcel("/d/a"), note("/d/n", "1"), parcel("/d/b"), parcel("/d/c")]);
    same(
        &script().run(&host, Apply),
        r#"+ note["/d/n"] text: nothing -> "1"
        together parcel["/d/a"] parcel["/d/b"] parcel["/d/c"]
        + parcel["/d/a"] text: nothing -> "x"
        + parcel["/d/b"] text: nothing -> "x"
        + parcel["/d/c"] text: nothing -> "x"
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(*calls.lock().expect("no thread panicked"), [["/d/a", "/d/b", "/d/c"]]);
    assert!(script().run(&host, Apply).starts_with("= parcel"), "nothing is left to do");
    assert_eq!(sizes(&calls), [3]);
}

#[test]
fn any_number_of_workers_makes_one_batch() {
    let (host, calls) = packing();
    let all = (0..20).map(|i| parcel(&format!("/d/{i}")));
    let transcript = Script::all(all).run_with(&engine(&host, 8), Apply);
    assert!(transcript.contains("0 ok, 20 changed, 0 failed"), "{transcript}");
    assert_eq!(sizes(&calls), [20]);
}

/// While a resource of the kind is being loaded, it may join the batch.
#[test]
fn a_batch_waits_for_resources_that_are_being_loaded() {
    let goes = Goes::default();
    let host = SharedHost::with(|host| goes.on(host));
    let script = Script::all([parcel("/d/a"), parcel("/d/b").set("look", "slow"), parcel("/d/c")]);
    let transcript = script.run_with(&engine(&host, 4), Apply);
    assert!(transcript.contains("3 changed"), "{transcript}");
    assert_eq!(goes.0.0.lock().expect("no thread panicked")[0], 1, "{transcript}");
}

/// The order of loading makes no difference.
#[test]
fn a_batch_is_in_declared_order() {
    let (calls, goes) = (Calls::default(), Goes::default());
    let seen = Arc::clone(&calls);
    let host = SharedHost::with(|host| {
        goes.on(host).program("pack", move |call| {
            seen.lock().expect("no thread panicked").push(call.command.args.clone());
            call.succeed("")
        })
    });
    let script = Script::all([parcel("/d/b").set("look", "slow"), parcel("/d/c"), parcel("/d/a")]);
    let transcript = script.run_with(&engine(&host, 4), Apply);
    assert_eq!(*calls.lock().expect("no thread panicked"), [["/d/b", "/d/c", "/d/a"]], "{transcript}");
}

/// A resource that becomes ready during a batch waits for its end.
#[test]
fn a_kind_has_one_batch_at_a_time() {
    let goes = Goes::default();
    let host = SharedHost::with(|host| goes.on(host));
    let late = parcel("/d/z").after(&id("tool", "t"));
    let script = Script::all([parcel("/d/a"), tool("t", "begun", "true"), late]);
    let transcript = script.run_with(&engine(&host, 4), Apply);
    assert!(transcript.contains("2 changed"), "{transcript}");
    assert_eq!(*goes.0.0.lock().expect("no thread panicked"), [2, 0, 1], "{transcript}");
}

#[test]
fn a_dependent_comes_in_the_next_batch() {
    for jobs in [1, 8] {
        let (host, calls) = packing();
        let late = parcel("/d/z").after(&id("parcel", "/d/a"));
        let script = Script::all([late, parcel("/d/a"), parcel("/d/b")]);
        let transcript = script.run_with(&engine(&host, jobs), Apply);
        assert!(transcript.contains("0 ok, 3 changed"), "{transcript}");
        assert_eq!(sizes(&calls), [2, 1], "{transcript}");
    }
}

#[test]
fn a_single_resource_is_a_batch_of_one() {
    let (host, calls) = packing();
    let transcript = parcel("/d/a").run(&host, Apply);
    same(&transcript, "+ parcel[\"/d/a\"] text: nothing -> \"x\"\n0 ok, 1 changed, 0 failed, 0 skipped");
    assert_eq!(sizes(&calls), [1]);
}

#[test]
fn a_failed_member_fails_alone() {
    for jobs in [1, 8] {
        let (host, calls) = packing();
        let after = note("/d/n", "1").after(&id("parcel", "/d/missing/b"));
        let script = Script::all([parcel("/d/a"), parcel("/d/missing/b"), parcel("/d/c"), after]);
        let transcript = script.run_with(&engine(&host, jobs), Apply);
        assert!(transcript.contains("x parcel[\"/d/missing/b\"]"), "{transcript}");
        assert!(transcript.contains("s note[\"/d/n\"] because of parcel[\"/d/missing/b\"]"), "{transcript}");
        assert!(transcript.contains("2 changed, 1 failed, 1 skipped"), "{transcript}");
        assert_eq!(sizes(&calls), [3]);
    }
}

#[test]
fn a_failed_batch_fails_all_members() {
    let host = SharedHost::new();
    let transcript = parcel("/d/a").and(parcel("/d/b")).run(&host, Apply);
    assert_eq!(transcript.matches("cannot run pack: it does not exist").count(), 2, "{transcript}");
    assert_eq!(host.text("/d/a"), None);
}

/// A member that failed is loaded and retried like any other resource.
#[test]
fn a_failed_member_is_retried() {
    let (host, calls) = packing();
    let retry = Handling { retry: Some(Retry::times(1)), ..Handling::default() };
    let transcript = parcel("/d/a").and(parcel("/d/missing/b").handled(retry)).run(&host, Apply);
    assert!(transcript.contains("parcel[\"/d/missing/b\"] failed 1, again after 1s"), "{transcript}");
    assert_eq!(sizes(&calls), [2, 1]);
}

#[test]
fn a_plan_packs_nothing_and_predicts_each() {
    let (host, calls) = packing();
    same(
        &parcel("/d/a").and(parcel("/d/b")).run(&host, Plan),
        r#"+ parcel["/d/a"] text: nothing -> "x"
        + parcel["/d/b"] text: nothing -> "x"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(sizes(&calls), [0; 0]);
}

#[test]
fn sequences_limits_and_locks_apply_to_members() {
    let (host, calls) = packing();
    sequence([parcel("/d/a"), parcel("/d/b")]).run(&host, Apply);
    assert_eq!(sizes(&calls), [1, 1]);
    let lock = || Handling {
        locks: vec![Lock { name: "l".into(), most: std::num::NonZeroU32::MIN }],
        ..Handling::default()
    };
    let transcript = parcel("/d/c").handled(lock()).and(parcel("/d/e").handled(lock())).run(&host, Apply);
    assert!(transcript.contains("0 ok, 2 changed"), "{transcript}");
    assert_eq!(sizes(&calls), [1, 1, 1, 1], "never two at a time under one lock");
    let request = Request { max_changes: Some(2), ..Apply.into() };
    let transcript = Script::all(["/d/1", "/d/2", "/d/3"].map(parcel)).run(&host, request);
    assert!(transcript.contains("2 changed, 0 failed, 1 skipped"), "{transcript}");
    assert_eq!(sizes(&calls)[4..], [2]);
}

#[test]
fn members_notify_and_are_notified() {
    let (host, _) = packing();
    let transcript =
        parcel("/d/a").handled(notifies(&[("/d/y", Moment::Before), ("/d/z", Moment::Immediately)]));
    let script = Script::all([transcript, parcel("/d/b"), idle("/d/y"), idle("/d/z")]);
    let transcript = script.run(&host, Apply);
    let order: Vec<&str> = transcript.lines().filter(|line| !line.contains("says")).collect();
    assert!(order[0].starts_with("! note[\"/d/y\"].shout (before"), "{transcript}");
    assert!(order[1].starts_with("together"), "{transcript}");
    assert!(transcript.contains("! note[\"/d/z\"].shout (immediately parcel[\"/d/a\"])"), "{transcript}");
}

#[test]
fn messages_of_a_batch_are_reported_by_its_first_member() {
    let (host, _) = packing();
    let transcript = Script::all([parcel("/d/a"), parcel("/d/loud")]).run(&host, Apply);
    assert!(transcript.contains("parcel[\"/d/a\"] says 2 parcels\n"), "{transcript}");
    let (host, _) = packing();
    let secret = parcel("/d/loud").hidden();
    let transcript = Script::all([parcel("/d/a"), secret]).run(&host, Apply);
    assert!(transcript.contains("parcel[\"/d/a\"] says (sensitive value)\n"), "{transcript}");
}
