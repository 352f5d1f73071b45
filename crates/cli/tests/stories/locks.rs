//! Locks limit concurrent repairs: sema-1, sema-2. The commands log their begin and end.

use super::folder::Folder;
use super::work_log::WorkLog;

const TASKS: usize = 6;

/// Tasks that end only after `together` of them have begun.
fn tasks(lock: impl Fn(usize) -> String, together: usize) -> String {
    let task = |number: usize| {
        let lock = lock(number);
        format!(
            r#"
task "t{number}" {{
  creates = "DIR/t{number}"
  apply   = "echo +t >> DIR/log; until test $(grep -c + DIR/log) -ge {together}; do sleep 0.01; done; sleep 0.03; touch DIR/t{number}; echo -t >> DIR/log"
  lock    = {lock}
}}
"#
        )
    };
    (0..TASKS).map(task).collect()
}

/// Checks that at most `most` tasks run at once, both in the first visit and when all are repaired at once.
#[track_caller]
fn check(lock: impl Fn(usize) -> String, most: usize) {
    let folder = Folder::with(&tasks(lock, most));
    let watch = folder.watch();
    for _ in 0..2 {
        watch.awaits("all", || WorkLog::of(folder.read("log")).is_done(TASKS).then_some(()));
        watch.visits_until_idle();
        let log = WorkLog::of(folder.read("log"));
        assert_eq!((log.begun(), log.most_at_once()), (TASKS, most));
        folder.delete("log");
        (0..TASKS).for_each(|number| folder.delete(&format!("t{number}")));
    }
}

/// sema-1.
#[test]
fn a_lock_for_two_admits_two() {
    check(|_| r#"{ name = "mylock", most = 2 }"#.to_owned(), 2);
}

/// exec3-sema.
#[test]
fn a_lock_for_one_admits_one() {
    check(|_| r#""mylock""#.to_owned(), 1);
}

/// sema-2: several locks, taken in both orders, never deadlock.
#[test]
fn locks_in_any_order_never_deadlock() {
    check(|number| if number % 2 == 0 { r#"["a", "b"]"# } else { r#"["b", "a"]"# }.to_owned(), 1);
}
