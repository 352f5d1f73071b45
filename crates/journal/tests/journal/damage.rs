use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use uphold_journal::{
    ActionEnd, AppliedResource, DueNotification, MemoryStorage, Part, Records, Run, RunEnd, Storage,
};

use super::{NOON, action, new_run, notification};
use crate::golden::applied_resource;

/// Everything that a journal contains.
#[derive(Debug, PartialEq)]
struct Everything {
    due: Vec<DueNotification>,
    runs: BTreeMap<u64, Run>,
    applied: Vec<AppliedResource>,
}

fn filled() -> MemoryStorage {
    let disk = MemoryStorage::default();
    let records = Records::on(Arc::new(disk.clone()));
    let (pending, _) = records.pending(NOON).unwrap();
    (0..4).for_each(|number| pending.settle(pending.notify(notification(&number.to_string()))));
    for _ in 0..2 {
        let run = records.begin_run(new_run(), None);
        for path in ["/a", "/b", "/c"] {
            let n = run.begin_action(&action(path));
            run.end_action(ActionEnd::new(n, "changed", 1));
        }
        run.end(RunEnd::at(NOON));
    }
    let key = records.secret_key().unwrap();
    let (mut applied, _) = records.applied(NOON).unwrap();
    (0..30).for_each(|number| applied.put(applied_resource(&key, &number.to_string())));
    applied.finish("/etc/uphold", Some("one"));
    applied.put(applied_resource(&key, "/last"));
    applied.finish("/etc/uphold", Some("two"));
    disk
}

fn read(disk: &MemoryStorage) -> (Everything, usize) {
    let records = Records::on(Arc::new(disk.clone()));
    let (pending, pending_damage) = records.pending(NOON).unwrap();
    let (applied, applied_damage) = records.applied(NOON).unwrap();
    let runs: BTreeMap<u64, Run> = records
        .runs()
        .newest_first()
        .unwrap()
        .map(|run| run.unwrap())
        .map(|run| (run.begin.run, run))
        .collect();
    let damaged_runs = runs.values().filter(|run| run.damage.is_some()).count();
    let reported = usize::from(pending_damage.is_some()) + applied_damage.len() + damaged_runs;
    let applied = applied.of_configuration("/etc/uphold").cloned().collect();
    (Everything { due: pending.due(), runs, applied }, reported)
}

const FILES: [&str; 6] =
    ["pending", "runs/000001.jsonl", "runs/000002.jsonl", "applied", "applied.log", "format"];

/// Of a long run only the end is read to find its last sum, unless its last line is longer than that.
#[test]
fn a_run_continues_the_chain_of_a_long_one() {
    let records = Records::on(Arc::new(MemoryStorage::default()));
    let long = format!("/{}", "ä".repeat(60_000));
    for (path, count) in [("/ä", 500), (&*long, 1), ("/a", 1)] {
        let run = records.begin_run(new_run(), None);
        (0..count).for_each(|_| _ = run.begin_action(&action(path)));
    }
    assert_eq!(records.runs().verify().unwrap(), None);
    let linked = |run: u64| records.runs().get(run).unwrap().unwrap().begin.previous.is_some();
    assert_eq!([1, 2, 3].map(linked), [false, true, true]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Any changed byte or cut: the journal opens, yields nothing but what was written, and loses little beside it.
    #[test]
    fn a_damaged_file_yields_what_verifies(file in 0_usize..6, at in any::<prop::sample::Index>(), flip in 1_u8.., cut in any::<bool>()) {
        let disk = filled();
        let (before, reported) = read(&disk);
        prop_assert_eq!(reported, 0);
        let name = FILES[file];
        let mut content = disk.read(name, Part::All).unwrap();
        let at = at.index(content.len());
        if cut { content.truncate(at) } else { content[at] ^= flip }
        disk.replace(name, &content, uphold_journal::Durability::Synced).unwrap();
        let (after, reported) = read(&disk);
        prop_assert!(after.due.iter().all(|due| before.due.contains(due)));
        prop_assert!(after.applied.iter().all(|record| before.applied.contains(record)));
        for (number, run) in &after.runs {
            let known: Vec<_> = before.runs[number].actions.iter().map(|action| &action.begin).collect();
            prop_assert!(run.actions.iter().all(|action| known.contains(&&action.begin)));
        }
        if !cut {
            // A changed line break joins two lines; in a chain the next line is lost, too.
            prop_assert!(after.due.len() + 2 >= before.due.len());
            prop_assert!(after.applied.len() + 2 >= before.applied.len());
            let is_silent = name == "format" || at + 1 == content.len();
            let is_first_line_of_run = name.starts_with("runs/") && after.runs.len() < before.runs.len();
            prop_assert!(reported > 0 || is_silent || is_first_line_of_run, "{name} {at}");
        }
        // The repair is complete: the journal opens again without damage of files that it repairs.
        let repaired = Records::on(Arc::new(disk.clone()));
        prop_assert_eq!(repaired.pending(NOON).unwrap().1, None);
        prop_assert_eq!(repaired.applied(NOON).unwrap().1, []);
        let next = repaired.begin_run(new_run(), None);
        prop_assert!(next.failure().is_none());
    }

    /// A power loss during a run: the history is read, and the next run begins.
    #[test]
    fn a_power_loss_leaves_a_history(actions in 0_usize..6, fates in prop::collection::vec(0_usize..600, 40)) {
        let disk = filled();
        let records = Records::on(Arc::new(disk.clone()));
        let run = records.begin_run(new_run(), None);
        let content = records.objects().keep(&[b'x'; 9000], NOON).unwrap().unwrap();
        (0..actions).for_each(|_| { run.begin_action(&action("/d")); });
        let mut fate = fates.iter().cycle();
        let after = disk.after_power_loss(|| fate.next().filter(|kept| *kept % 3 > 0).copied());
        let records = Records::on(Arc::new(after));
        let runs = records.runs().newest_first().unwrap().map(|run| run.unwrap()).collect::<Vec<_>>();
        prop_assert!(runs.iter().filter(|run| run.begin.run < 3).all(|run| run.actions.len() == 3));
        let found = records.objects().get(&content);
        prop_assert!(found.is_none_or(|found| found == [b'x'; 9000]));
        prop_assert!(records.begin_run(new_run(), None).run().is_some_and(|run| run >= 3));
    }
}
