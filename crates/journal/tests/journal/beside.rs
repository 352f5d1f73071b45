use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;
use uphold_journal::{ActionEnd, Journal, Location, ResourceKey, RunEnd};

use super::{NOON, action, new_run, notification};

/// A reader without the lock sees whole lines only, also while the file is emptied.
#[test]
fn a_reader_beside_a_writer_sees_whole_lines() {
    let ground = TempDir::new().unwrap();
    let journal = Journal::open(Location::Path(ground.path().join("state"))).unwrap();
    let (pending, _) = journal.pending(NOON).unwrap();
    let records = journal.records().unwrap();
    let run = records.begin_run(new_run(), None);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..300 {
                let name = format!("service{}", number % 7);
                pending.settle(pending.notify(notification(&name)));
                let n = run.begin_action(&action("/etc/motd"));
                run.end_action(ActionEnd::new(n, "changed", 1));
                let target = ResourceKey::new("/etc/uphold", "service", name);
                pending.delivered(pending.take_up(&target, "reload"), None);
                if number % 50 == 0 {
                    pending.compact();
                }
            }
            is_done.store(true, Ordering::Relaxed);
        });
        while !is_done.load(Ordering::Relaxed) {
            let view = journal.read_pending().unwrap();
            assert_eq!(view.damage, None);
            assert!(view.due.len() <= 1, "{:?}", view.due);
            assert_eq!(records.runs().get(1).unwrap().unwrap().damage, None);
        }
    });
    run.end(RunEnd::at(NOON));
    assert_eq!(records.runs().get(1).unwrap().unwrap().actions.len(), 300);
}
