use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use uphold_journal::{ActionEnd, Holder, Journal, Location, ProcessId, RunState};

use super::{NOON, action, new_run, notification};

/// Where the child writes. Unset in ordinary test runs.
const DIRECTORY: &str = "UPHOLD_JOURNAL_TEST_DIRECTORY";
const FIRST: &str = "UPHOLD_JOURNAL_TEST_FIRST";

fn open(directory: &Path) -> Journal {
    Journal::open(Location::Path(directory.to_owned())).unwrap()
}

fn lock(journal: &Journal, directory: &Path) -> uphold_journal::RunLock {
    let holder = Holder { process: ProcessId::current(), ..Holder::default() };
    journal.lock(directory, &holder, Some(Duration::ZERO), &mut |_| true).unwrap()
}

/// The child: writes notifications and actions until it is killed, and prints each number when it is synced.
#[test]
fn child_that_is_killed() {
    let Some(directory) = std::env::var_os(DIRECTORY).map(PathBuf::from) else { return };
    let first: usize = std::env::var(FIRST).unwrap().parse().unwrap();
    let journal = open(&directory);
    let _lock = lock(&journal, &directory);
    let (pending, damage) = journal.pending(NOON).unwrap();
    assert_eq!(damage, None);
    let run = journal.records().unwrap().begin_run(new_run(), None);
    for number in first.. {
        let ticket = pending.notify(notification(&format!("service{number}")));
        let n = run.begin_action(&action("/etc/motd"));
        pending.wait(&ticket).unwrap();
        writeln!(std::io::stdout(), "\nsynced {number}").unwrap();
        pending.settle(ticket);
        run.end_action(ActionEnd::new(n, "changed", 1));
    }
}

/// Starts the child, and kills it after so many synced notifications. Returns their numbers.
fn kill_after(directory: &Path, first: usize, count: usize) -> Vec<usize> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child_that_is_killed", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let synced = lines.filter_map(|line| line.unwrap().strip_prefix("synced ")?.parse().ok());
    let synced: Vec<usize> = synced.take(count).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    synced
}

#[test]
fn a_killed_run_loses_no_synced_notification() {
    let ground = TempDir::new().unwrap();
    let directory = ground.path().join("state");
    let mut expected = BTreeSet::new();
    for (round, count) in [1, 17, 40].into_iter().enumerate() {
        let synced = kill_after(&directory, round * 1000, count);
        assert_eq!(synced.len(), count);
        expected.extend(synced.iter().map(|number| format!("service{number}")));
        let journal = open(&directory);
        let _lock = lock(&journal, &directory);
        let (pending, damage) = journal.pending(NOON).unwrap();
        let due: BTreeSet<String> = pending.due().into_iter().map(|due| due.target.identity).collect();
        assert!(expected.is_subset(&due) && damage.is_none(), "{expected:?} {due:?}");
        let runs = journal.records().unwrap().runs();
        assert_eq!(runs.verify().unwrap(), None);
        let run = runs.get(round as u64 + 1).unwrap().unwrap();
        assert_eq!((run.state, run.damage), (RunState::Interrupted, None));
        assert!(run.actions.len() >= count - 1);
    }
}
