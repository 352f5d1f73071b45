//! Tests of runs: writing, reading, bounds and the chain.

#[path = "../../tests/journal/records.rs"]
mod records;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::file_name::{RunFile, files};
use super::record::RunLine;
use super::*;
use crate::journal::Records;
use crate::line::seal_chained;
use crate::storage::{Creation, Durability, MemoryStorage, Part, Storage};
use crate::time::{DAY, Time};
use records::{NOON, action, new_run};

fn runs(disk: &MemoryStorage) -> Runs {
    Runs { storage: Arc::new(disk.clone()) }
}

fn records(disk: &MemoryStorage) -> Records {
    Records::on(Arc::new(disk.clone()))
}

fn begin(disk: &MemoryStorage, mode: &str, time: Time) -> RunWriter {
    let new = NewRun { mode: mode.into(), time, ..new_run() };
    RunWriter::begin(Arc::new(disk.clone()), None, new)
}

fn action_at(path: &str, time: Time) -> NewAction {
    NewAction { time, ..action(path) }
}

fn run_once(disk: &MemoryStorage, time: Time) {
    let run = begin(disk, "apply", time);
    let n = run.begin_action(&action_at("/etc/motd", time));
    run.end_action(ActionEnd::new(n, "changed", 3));
    assert!(
        run.end(RunEnd { counts: BTreeMap::from([("as_declared".into(), 9)]), ..RunEnd::at(time) }).is_none()
    );
}

fn numbers(disk: &MemoryStorage) -> Vec<u64> {
    runs(disk).newest_first().unwrap().map(|run| run.unwrap().begin.run).collect()
}

#[test]
fn a_run_reads_back_as_it_was_written() {
    let disk = MemoryStorage::default();
    run_once(&disk, NOON);
    assert_eq!(disk.syncs(), 1);
    let run = runs(&disk).get(1).unwrap().unwrap();
    assert_eq!(
        (run.begin.mode.as_str(), run.begin.who.user.as_str(), run.state),
        ("apply", "ann", RunState::Ended)
    );
    assert_eq!(run.actions[0].begin.address, "file[\"/etc/motd\"]");
    assert_eq!(run.actions[0].end.as_ref().unwrap().verdict, "changed");
    assert_eq!(run.end.unwrap().counts, BTreeMap::from([("as_declared".into(), 9)]));
    assert_eq!(runs(&disk).get(2).unwrap(), None);
}

#[test]
fn noted_actions_are_written_together() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    let lines =
        || disk.read("runs/000001.jsonl", Part::All).unwrap().split(|byte| *byte == b'\n').count() - 1;
    assert_eq!([run.note_action(&action("/a")), run.note_action(&action("/b"))], [1, 2]);
    assert_eq!(lines(), 1);
    run.write_noted(NOON);
    assert_eq!(lines(), 3);
}

#[test]
fn the_json_of_an_action_is_that_of_the_serializer() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    let (text, json, long) = (Side::of("a\"b"), Side::json("[1]"), Side::of(&"x".repeat(300)));
    let sides = [Side::Absent, text, json, long, Side::Secret("k.1".into())];
    let difference = |side: &Side| Difference {
        property: "p".into(),
        from: side.clone(),
        to: side.clone(),
        cause: matches!(side, Side::Absent).then(|| "drift".to_owned()),
    };
    let recovery = Recovery { name: "motd".into(), exists: true, ..Recovery::default() };
    let differences = sides.iter().map(difference).collect();
    let previous = Previous::NotKept("too\nlarge".into());
    let full = NewAction { differences, recovery: Some(recovery), parent: Some(7), previous, ..action("/a") };
    let values = sides.iter().enumerate().map(|(index, side)| (format!("v{index}"), side.clone())).collect();
    let after = After { exists: true, values, file: Some(Side::Absent) };
    for (new, after) in [(full, after), (action("/b"), After::default())] {
        let n = run.begin_action(&new);
        let (why, error) = (Some("a \"b\" changed".into()), Some("broken".into()));
        run.end_action(ActionEnd { why, error, after: Some(after), ..ActionEnd::new(n, "failed", 3) });
    }
    run.flush(NOON, Duration::ZERO);
    let text = String::from_utf8(disk.read("runs/000001.jsonl", Part::All).unwrap()).unwrap();
    let scan = scan(text.as_bytes(), Chain::Linked);
    assert_eq!(scan.lines.len(), 5);
    for line in &scan.lines {
        let json = serde_json::to_string(&line.record::<RunLine>().unwrap()).unwrap();
        assert!(line.text.starts_with(json.strip_suffix('}').unwrap()), "{} is not {json}", line.text);
    }
}

#[test]
fn actions_that_end_alike_share_a_line() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    let numbers = ["/a", "/b", "/c", "/d"].map(|path| run.begin_action(&action(path)));
    let verdicts = ["changed", "changed", "failed", "changed"];
    for (n, verdict) in numbers.into_iter().zip(verdicts) {
        run.end_action(ActionEnd { as_declared: verdict == "changed", ..ActionEnd::new(n, verdict, 3) });
    }
    run.end(RunEnd::at(NOON));
    let text = String::from_utf8(disk.read("runs/000001.jsonl", Part::All).unwrap()).unwrap();
    assert_eq!(text.matches("{\"ended\":").count(), 3);
    let ends = runs(&disk).get(1).unwrap().unwrap().actions.into_iter().map(|action| action.end.unwrap());
    let ends: Vec<_> = ends.map(|end| (end.n, end.verdict, end.after.is_some())).collect();
    assert_eq!(ends, std::array::from_fn::<_, 4, _>(|at| (numbers[at], verdicts[at].into(), at != 2)));
}

#[test]
fn a_run_without_actions_syncs_nothing() {
    let disk = MemoryStorage::default();
    begin(&disk, "apply", NOON).end(RunEnd::at(NOON));
    assert_eq!((disk.syncs(), numbers(&disk)), (0, vec![1]));
}

#[test]
fn an_action_needs_at_most_a_kilobyte_and_a_run_little_more() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    let length = || disk.read("runs/000001.jsonl", Part::All).unwrap().len();
    let before = length();
    assert!(before < 800, "{before} bytes for the first line");
    let long = "x".repeat(5000);
    let difference = |property: &str| Difference {
        property: property.into(),
        from: Side::of(&long),
        to: Side::of(&long[1..]),
        cause: None,
    };
    let differences = vec![difference("content"), difference("checksum")];
    let n = run.begin_action(&NewAction { differences, ..action("/etc/nginx/sites-available/default") });
    run.end_action(ActionEnd { error: Some("e".repeat(5000)), ..ActionEnd::new(n, "failed", 3) });
    run.flush(NOON, Duration::ZERO);
    let typical = length();
    let n = run.begin_action(&action("/etc/nginx/sites-available/default"));
    run.end_action(ActionEnd::new(n, "changed", 3));
    run.flush(NOON, Duration::ZERO);
    assert!(
        typical - before < 512 + 1024,
        "{} bytes for two large differences and an error",
        typical - before
    );
    assert!(length() - typical < 600, "{} bytes for an action", length() - typical);
}

#[test]
fn runs_are_listed_newest_first_and_filtered() {
    let disk = MemoryStorage::default();
    for day in 0..3 {
        let time = Time(NOON.0 + day * DAY);
        let run = begin(&disk, "apply", time);
        for path in ["/etc/motd", &format!("/etc/{day}")] {
            let n = run.begin_action(&action_at(path, time));
            run.end_action(ActionEnd::new(n, "changed", 1));
        }
        run.end(RunEnd::at(time));
    }
    assert_eq!(numbers(&disk), [3, 2, 1]);
    let check = |resource: Option<&str>, since: Option<i64>, expected: &[(u64, usize)]| {
        let filter = ActionFilter {
            resource: resource.map(str::to_owned),
            renamed: Vec::new(),
            since: since.map(|day| Time(NOON.0 + day * DAY)),
        };
        let found = runs(&disk).filtered(filter).unwrap().map(|run| run.unwrap());
        let found: Vec<_> = found.map(|run| (run.begin.run, run.actions.len())).collect();
        assert_eq!(found, expected, "{resource:?} {since:?}");
    };
    check(None, None, &[(3, 2), (2, 2), (1, 2)]);
    begin(&disk, "apply", Time(NOON.0 + 2 * DAY)).end(RunEnd::at(Time(NOON.0 + 2 * DAY)));
    check(None, Some(2), &[(4, 0), (3, 2)]);
    check(Some("/etc/motd"), None, &[(3, 1), (2, 1), (1, 1)]);
    check(Some("file[\"/etc/1\"]"), None, &[(2, 1)]);
    check(Some("/etc/motd"), Some(1), &[(3, 1), (2, 1)]);
    check(None, Some(3), &[]);
}

#[test]
fn an_interrupted_run_is_recognized_by_its_process() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    run.begin_action(&action("/etc/motd"));
    assert_eq!(runs(&disk).get(1).unwrap().unwrap().state, RunState::Running);
    let name = RunFile::plain(1).name();
    let text = String::from_utf8(disk.read(&name, Part::All).unwrap()).unwrap();
    let first: RunLine = scan(text.as_bytes(), Chain::Linked).lines[0].record().unwrap();
    let RunLine::Begin(mut first) = first else { panic!("no first line") };
    first.process.started += 1;
    let mut lines = String::new();
    let action: RunLine = scan(text.as_bytes(), Chain::Linked).lines[1].record().unwrap();
    for line in [RunLine::Begin(first), action] {
        lines.push_str(&serde_json::to_string(&line).unwrap());
        lines.push('\n');
    }
    seal_chained(&mut lines, &mut String::new());
    disk.replace(&name, lines.as_bytes(), Durability::Synced).unwrap();
    let run = runs(&disk).get(1).unwrap().unwrap();
    assert_eq!(run.state, RunState::Interrupted);
    assert_eq!(run.interrupted_during(), Some("file[\"/etc/motd\"]"));
}

#[test]
fn two_runs_never_share_a_number() {
    let disk = MemoryStorage::default();
    let [one, other] = [begin(&disk, "apply", NOON), begin(&disk, "apply", NOON)];
    assert_eq!((one.run(), other.run()), (Some(1), Some(2)));
    // A compressed file has its number, too.
    disk.append_to("runs/000004.jsonl.gz", Creation::New).unwrap();
    assert_eq!(begin(&disk, "apply", NOON).run(), Some(5));
}

#[test]
fn a_watch_continues_in_a_new_file_each_day() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "watch", NOON);
    let next_day = Time(NOON.0 + DAY);
    let open = run.begin_action(&action("/etc/a"));
    let n = run.begin_action(&action_at("/etc/b", next_day));
    run.end_action(ActionEnd::new(n, "changed", 1));
    assert_eq!(run.run(), Some(1), "an action is in progress");
    run.end_action(ActionEnd::new(open, "changed", 1));
    let n = run.begin_action(&action_at("/etc/c", next_day));
    run.end_action(ActionEnd::new(n, "changed", 1));
    run.end(RunEnd::at(next_day));
    let [second, first]: [Run; 2] =
        runs(&disk).newest_first().unwrap().map(|run| run.unwrap()).collect::<Vec<_>>().try_into().unwrap();
    assert!(first.end.unwrap().continued);
    assert_eq!((second.begin.continues, second.actions.len()), (Some(1), 1));
    assert_eq!(runs(&disk).verify().unwrap(), None);
}

#[test]
fn a_full_disk_ends_the_history_of_the_run_only() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    disk.fail_writes(Some(std::io::ErrorKind::StorageFull));
    let n = run.begin_action(&action("/etc/motd"));
    disk.fail_writes(None);
    run.end_action(ActionEnd::new(n, "changed", 1));
    assert_eq!(run.failure().unwrap().reason(), "no storage space");
    run.end(RunEnd::at(NOON));
    assert_eq!(runs(&disk).get(1).unwrap().unwrap().actions, []);
    run_once(&disk, NOON);
    assert_eq!(runs(&disk).verify().unwrap(), None);
}

#[test]
fn pruning_keeps_the_bounds_and_the_chain() {
    let disk = MemoryStorage::default();
    for day in 0..40 {
        run_once(&disk, Time(NOON.0 + day * DAY));
        let bounds = RunBounds { days: 30, bytes: 1 << 20, plain: 4 };
        records(&disk).clean_up(&bounds, Time(NOON.0 + day * DAY), true).unwrap();
        assert_eq!(runs(&disk).verify().unwrap(), None, "day {day}");
    }
    assert_eq!(numbers(&disk), (10..=40).rev().collect::<Vec<_>>());
    let plain = files(&disk).unwrap().values().filter(|file| !file.is_compressed).count();
    assert_eq!(plain, 4);
    let bytes: u64 = files(&disk).unwrap().values().map(|file| file.size).sum();
    let bounds = RunBounds { bytes: bytes / 2, ..RunBounds::default() };
    records(&disk).clean_up(&bounds, NOON, true).unwrap();
    assert!(files(&disk).unwrap().values().map(|file| file.size).sum::<u64>() <= bytes / 2);
    assert_eq!((runs(&disk).verify().unwrap(), numbers(&disk)[0]), (None, 40));
}

#[test]
fn runs_without_changes_are_compressed_seldom() {
    let disk = MemoryStorage::default();
    for number in 1..=65_u64 {
        begin(&disk, "apply", NOON).end(RunEnd::at(NOON));
        records(&disk).clean_up(&RunBounds::default(), NOON, false).unwrap();
        assert_eq!(disk.syncs() > 0, number > 64, "{number} runs");
    }
}

/// Listing a folder looks at each of its files.
#[test]
fn the_end_of_a_run_lists_each_folder_once() {
    let disk = MemoryStorage::default();
    for _ in 0..20 {
        run_once(&disk, NOON);
        let before = disk.lists();
        records(&disk).clean_up(&RunBounds::default(), NOON, true).unwrap();
        assert_eq!(disk.lists() - before, 2);
    }
}

#[test]
fn a_changed_removed_or_missing_line_is_named() {
    let disk = MemoryStorage::default();
    (0..3).for_each(|_| run_once(&disk, NOON));
    let name = RunFile::plain(2).name();
    let content = disk.read(&name, Part::All).unwrap();
    let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    let check = |content: &[u8], file: &str, line: usize| {
        disk.replace(&name, content, Durability::Synced).unwrap();
        let broken = runs(&disk).verify().unwrap();
        assert_eq!(broken, Some(BrokenChain { file: file.into(), line }));
    };
    let edited = String::from_utf8(content.clone()).unwrap().replace("0666", "0600");
    check(edited.as_bytes(), &name, 2);
    check(&[lines[0], lines[2], lines[3]].concat(), &name, 2);
    // The last lines were written together.
    check(&lines[..3].concat(), &name, 3);
    // The end of a run was cut off: only the link of the next run shows it.
    check(&lines[..2].concat(), "runs/000003.jsonl", 1);
    disk.remove(&name).unwrap();
    let broken = runs(&disk).verify().unwrap();
    assert_eq!(broken, Some(BrokenChain { file: "runs/000003.jsonl".into(), line: 1 }));
}

#[test]
fn lines_that_verify_are_read_from_a_damaged_run() {
    let disk = MemoryStorage::default();
    run_once(&disk, NOON);
    let name = RunFile::plain(1).name();
    let mut content = disk.read(&name, Part::All).unwrap();
    let second = content.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    content[second] ^= 1;
    disk.replace(&name, &content, Durability::Synced).unwrap();
    let run = runs(&disk).get(1).unwrap().unwrap();
    assert_eq!((run.actions.len(), run.state), (0, RunState::Ended));
    assert_eq!(run.damage.unwrap().line, 2);
    // A compressed file is read as far as it decompresses.
    let gzip = compressed(&content).unwrap();
    disk.replace(&format!("{name}.gz"), &gzip[..gzip.len() / 2], Durability::Synced).unwrap();
    disk.remove(&name).unwrap();
    assert!(runs(&disk).get(1).is_ok());
}

#[derive(Clone, Default)]
struct AuditLog(Arc<Mutex<Vec<u8>>>);

impl Write for AuditLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_audit_log_gets_the_same_lines_in_one_chain() {
    let (disk, log) = (MemoryStorage::default(), AuditLog::default());
    for _ in 0..2 {
        let new = NewRun { mode: "apply".into(), time: NOON, ..NewRun::default() };
        let run = RunWriter::begin(Arc::new(disk.clone()), Some(Box::new(log.clone())), new);
        let n = run.begin_action(&action("/etc/motd"));
        run.end_action(ActionEnd::new(n, "changed", 1));
        run.end(RunEnd::at(NOON));
    }
    let files = [1, 2].map(|run| disk.read(&RunFile::plain(run).name(), Part::All).unwrap());
    let log = log.0.lock().unwrap().clone();
    assert_eq!(log, files.concat());
    assert_eq!(verify_audit_log(&log, "audit"), None);
    let mut lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    lines.remove(3);
    let broken = verify_audit_log(&lines.concat(), "audit");
    // It was written together with the previous line.
    assert_eq!(broken, Some(BrokenChain { file: "audit".into(), line: 3 }));
}

#[test]
fn a_damaged_run_is_not_pruned_by_its_age() {
    let disk = MemoryStorage::default();
    run_once(&disk, NOON);
    let name = RunFile::plain(1).name();
    disk.replace(&name, b"garbage\n", Durability::Synced).unwrap();
    run_once(&disk, NOON);
    records(&disk).clean_up(&RunBounds::default(), NOON, true).unwrap();
    assert_eq!(disk.read(&name, Part::All).unwrap(), b"garbage\n");
}

#[test]
fn the_end_of_an_action_is_written_with_the_next_line_or_when_it_is_old() {
    let disk = MemoryStorage::default();
    let run = begin(&disk, "apply", NOON);
    let ended = || {
        let run = runs(&disk).get(1).unwrap().unwrap();
        run.actions.iter().filter(|action| action.end.is_some()).count()
    };
    let change = |path: &str| {
        let n = run.begin_action(&action(path));
        run.end_action(ActionEnd::new(n, "changed", 3));
    };
    change("/etc/motd");
    assert!(run.has_ended());
    assert_eq!(ended(), 0);
    change("/etc/issue");
    assert_eq!(ended(), 1);
    let delay = Duration::from_millis(10);
    run.flush(Time(NOON.0 + 9), delay);
    assert_eq!(ended(), 1);
    run.flush(Time(NOON.0 + 10), delay);
    assert_eq!((ended(), run.has_ended()), (2, false));
    change("/etc/hosts");
    run.flush(NOON, Duration::ZERO);
    assert_eq!(ended(), 3);
    change("/etc/fstab");
    assert_eq!(run.end(RunEnd::at(NOON)).map(|failure| failure.to_string()), None);
    assert_eq!((ended(), runs(&disk).verify().unwrap()), (4, None));
}
