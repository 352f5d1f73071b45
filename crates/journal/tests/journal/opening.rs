use std::fs;
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;
use uphold_journal::{ActionEnd, Journal, Location, Problem, RunEnd, RunState};

use super::{NOON, action, new_run, notification};

#[test]
fn opening_and_reading_creates_nothing() {
    let ground = TempDir::new().unwrap();
    let journal = Journal::open(Location::Path(ground.path().join("state"))).unwrap();
    let records = journal.records().unwrap();
    assert_eq!(records.runs().newest_first().unwrap().count(), 0);
    assert_eq!(records.last_set("/etc/uphold").unwrap(), None);
    assert!(journal.read_pending().unwrap().due.is_empty());
    assert!(records.read_applied().unwrap().1.is_empty());
    assert!(records.pauses().read(NOON).unwrap().list.is_empty());
    assert!(journal.holder().is_none());
    assert_eq!(fs::read_dir(ground.path()).unwrap().count(), 0);
}

#[test]
fn a_directory_that_others_can_write_is_refused() {
    let ground = TempDir::new().unwrap();
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let problem = Journal::open(Location::Path(ground.path().to_owned())).err().unwrap();
    assert!(matches!(problem, Problem::Untrusted(..)), "{problem}");
}

#[test]
fn a_run_goes_on_although_the_directory_cannot_be_written() {
    let ground = TempDir::new().unwrap();
    let journal = Journal::open(Location::Path(ground.path().join("state"))).unwrap();
    // Also root cannot create a directory here.
    fs::write(ground.path().join("state"), "in the way").unwrap();
    let run = journal.records().unwrap().begin_run(new_run(), None);
    assert_eq!(run.run(), None);
    assert_eq!(run.failure().unwrap().reason(), "Not a directory");
    let n = run.begin_action(&action("/etc/motd"));
    run.end_action(ActionEnd::new(n, "changed", 1));
    assert!(run.end(RunEnd::at(NOON)).is_some());
    assert!(journal.pending(NOON).is_err());
}

#[test]
fn a_newer_journal_gets_only_pending_notifications() {
    let ground = TempDir::new().unwrap();
    let location = Location::Path(ground.path().to_owned());
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/newer-format"), ground.path().join("format"))
        .unwrap();
    let journal = Journal::open(location.clone()).unwrap();
    assert_eq!(journal.newer().unwrap().to_string(), "journal of Uphold 0.9.0; running without history");
    assert!(journal.records().is_none());
    let pending = journal.pending(NOON).unwrap().0;
    let ticket = pending.notify(notification("nginx"));
    pending.wait(&ticket).unwrap();
    assert!(ground.path().join("pending.1").exists() && !ground.path().join("pending").exists());
    assert_eq!(Journal::open(location).unwrap().read_pending().unwrap().due.len(), 1);
}

#[test]
fn a_run_is_seen_as_running_until_its_process_ends() {
    let ground = TempDir::new().unwrap();
    let journal = Journal::open(Location::Path(ground.path().join("state"))).unwrap();
    let records = journal.records().unwrap();
    let run = records.begin_run(new_run(), None);
    assert_eq!(records.runs().get(run.run().unwrap()).unwrap().unwrap().state, RunState::Running);
}
