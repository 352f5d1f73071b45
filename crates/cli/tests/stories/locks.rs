//! Locks hold while several repairs go on at once: sema-1, sema-2. The commands themselves tell when they begin and
//! end.

use crate::folder::Folder;
use crate::work_log::WorkLog;

const TASKS: usize = 6;

/// Tasks that only end once so many of them have begun.
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

/// All of them are to be done again, at once: so many are under way at a time, then and the first time.
#[track_caller]
fn check(lock: impl Fn(usize) -> String, most: usize) {
    let folder = Folder::with(&tasks(lock, most));
    let watch = folder.hold();
    for _ in 0..2 {
        watch.awaits("all", || WorkLog::of(folder.read("log")).is_done(TASKS).then_some(()));
        watch.settled();
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

/// sema-2: several locks, asked for in both orders, never hold each other up.
#[test]
fn locks_in_any_order_never_deadlock() {
    check(|number| if number % 2 == 0 { r#"["a", "b"]"# } else { r#"["b", "a"]"# }.to_owned(), 1);
}
