//! A run that is killed at a system call, or gets an error from it; then an undisturbed run.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::disk;
use crate::failure::{Failure, Result};

use super::arena::{Arena, crash, finish, succeeded};
use super::snapshot::Snapshot;
use super::tally::Tally;

/// System calls that change something, or open something for a change.
const CALLS: [&str; 18] = [
    "openat",
    "openat2",
    "write",
    "fsync",
    "linkat",
    "renameat",
    "renameat2",
    "unlinkat",
    "mkdirat",
    "symlinkat",
    "fchmod",
    "fchmodat",
    "fchown",
    "fchownat",
    "ftruncate",
    "fsetxattr",
    "fremovexattr",
    "copy_file_range",
];

const ERRORS: [&str; 6] =
    ["error=EIO", "error=ENOSPC", "error=EACCES", "error=EROFS", "error=EINTR", "error=EMFILE"];

/// `kill -9` at each call, and the check for data that a power cut would lose.
pub(crate) fn kills(arena: &Arena) -> Result<Tally> {
    let mut tally = inject(arena, &["signal=KILL"], 11)?;
    undisturbed(arena)?;
    tally.count("power cut", unsynced(&disk::read(&arena.path("trace"))?));
    Ok(tally)
}

/// One error at each call.
pub(crate) fn errors(arena: &Arena) -> Result<Tally> {
    inject(arena, &ERRORS, 67)
}

/// Several resources edit this file one after the other.
const EDITED_IN_STEPS: [&str; 1] = ["lines"];

/// The machine before a run and after an undisturbed one.
struct Undisturbed {
    before: Snapshot,
    after: Snapshot,
}

/// One system call that fails: its name, its number in its thread, and the fault.
type Point<'a> = (&'a str, usize, &'a str);

/// Tries every `step`th point of a sample, and every point of the whole, on all processors.
fn inject(arena: &Arena, faults: &[&str], step: usize) -> Result<Tally> {
    let (_, calls) = undisturbed(arena)?;
    let all =
        faults.iter().flat_map(|fault| calls.iter().map(|(call, count)| (call.as_str(), *count, *fault)));
    let points: Vec<Point<'_>> = all.step_by(arena.step(step)).collect();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|number| {
                scope.spawn({
                    let (points, next) = (&points, &next);
                    move || work(arena, number, points, next)
                })
            })
            .collect();
        let mut tally = Tally::default();
        for worker in started {
            tally.add(worker.join().map_err(|_| Failure::new("a worker of torture panicked"))??);
        }
        Ok(tally)
    })
}

/// Processes points until none is left. Each worker has its own arena.
fn work(arena: &Arena, number: usize, points: &[Point<'_>], next: &AtomicUsize) -> Result<Tally> {
    let arena = arena.another(number)?;
    let (expected, _) = undisturbed(&arena)?;
    let mut tally = Tally::default();
    while let Some((call, count, fault)) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
        tally.count(&format!("{call} {count} {fault}"), disturb(&arena, call, *count, fault, &expected)?);
    }
    Ok(tally)
}

/// The expected state, and the calls of an undisturbed run: the n-th of each name in any one thread.
fn undisturbed(arena: &Arena) -> Result<(Undisturbed, Vec<(String, usize)>)> {
    arena.write_initial_state()?;
    let before = arena.snapshot()?;
    succeeded(&finish(&mut traced(arena, &[&format!("--trace={}", CALLS.join(","))]))?)?;
    let counts = calls_of_threads(&disk::read(&arena.path("trace"))?);
    let points =
        counts.into_iter().flat_map(|(call, most)| (1..=most).map(move |count| (call.clone(), count)));
    Ok((Undisturbed { before, after: arena.snapshot()? }, points.collect()))
}

/// The apply of the mixed configuration under strace, which writes to `trace`.
fn traced(arena: &Arena, options: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "--seccomp-bpf", "-qq", "-o"])
        .arg(arena.path("trace"))
        .args(options)
        .arg(arena.uphold());
    arena.own_state(command.args(arena.apply_mixed()));
    command
}

/// For each call, the highest number made by one thread, because strace counts per thread.
fn calls_of_threads(trace: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in trace.lines() {
        let mut words = line.splitn(2, ' ');
        let (Some(thread), Some(rest)) = (words.next(), words.next()) else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        if CALLS.contains(&call) {
            *counts.entry((call.to_owned(), thread)).or_insert(0) += 1;
        }
    }
    let mut most = BTreeMap::new();
    for ((call, _), count) in counts {
        let entry = most.entry(call).or_insert(0);
        *entry = count.max(*entry);
    }
    most
}

/// The damage after a run with one fault, or after the next run without one.
fn disturb(
    arena: &Arena,
    call: &str,
    count: usize,
    fault: &str,
    expected: &Undisturbed,
) -> Result<Option<String>> {
    arena.write_initial_state()?;
    let inject = format!("--inject={call}:{fault}:when={count}");
    let output = finish(&mut traced(arena, &[&format!("--trace={call}"), &inject]))?;
    if let Some(crash) = crash(&output) {
        return Ok(Some(crash));
    }
    let found = arena.snapshot()?;
    if let Some(torn) = found.torn(&expected.before, &expected.after, &EDITED_IN_STEPS) {
        return Ok(Some(torn));
    }
    if output.status.success()
        && let Some(difference) = found.differs(&expected.after)
    {
        return Ok(Some(format!("exit code 0, but {difference}")));
    }
    let words = arena.apply_mixed();
    let next = finish(&mut arena.command(&words.iter().map(String::as_str).collect::<Vec<_>>()))?;
    if let Err(failure) = succeeded(&next) {
        return Ok(Some(format!("the next run {failure}")));
    }
    Ok(arena
        .snapshot()?
        .differs(&expected.after)
        .map(|difference| format!("after the next run {difference}")))
}

// Data that a power cut could lose, found in the trace of a run. `kill -9` cannot show it: the page cache survives.

/// Part of every temporary name, and of the names of backups.
const TEMPORARY: &str = "uphold-";
/// Temporary files of the journal. It decides itself which of its files must survive a power cut; its own tests cover that.
const JOURNAL: &str = ".tmp";

/// The end of the temporary name under which content is received.
const PARTIAL: &str = ".uphold-partial";

/// The files that one thread has synced, by descriptor.
#[derive(Default)]
struct Thread<'a> {
    /// The last file that was synced since the last rename or link.
    synced: Option<&'a str>,
    /// The directory of a new name that was not synced since, and the name.
    unsynced: Option<(&'a str, &'a str)>,
}

/// A file that got its name before its content was synced, or whose directory was not synced afterwards.
pub(crate) fn unsynced(trace: &str) -> Option<String> {
    let mut threads: BTreeMap<&str, Thread> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, call)) = line.split_once(' ') else { continue };
        let broken = threads.entry(thread).or_default().call(call.trim_start());
        if broken.is_some() {
            return broken;
        }
    }
    threads.values().find_map(Thread::end)
}

impl<'a> Thread<'a> {
    fn call(&mut self, call: &'a str) -> Option<String> {
        let (name, arguments) = call.split_once('(')?;
        let end = |byte: char| matches!(byte, ',' | ')' | ' ');
        let words: Vec<&str> =
            arguments.split(end).filter(|word| !word.is_empty()).map(|word| word.trim_matches('"')).collect();
        match (name, words.as_slice()) {
            ("fsync", [file, ..]) => self.sync(file),
            // Programs started by the run use absolute paths.
            (_, ["AT_FDCWD", ..]) => None,
            ("linkat", [file, "", directory, name, ..]) => {
                let broken =
                    (self.synced != Some(file)).then(|| format!("{name} is not synced before it is named"));
                broken.or(self.name(directory, name))
            }
            ("renameat", [_, old, ..]) if old.ends_with(JOURNAL) => None,
            ("renameat" | "renameat2", [_, old, directory, name, ..]) => {
                let is_unsynced = old.ends_with(PARTIAL) && self.synced.is_none();
                let broken = is_unsynced.then(|| format!("{name} is not synced before it is named"));
                broken.or(self.name(directory, name))
            }
            _ => None,
        }
    }

    fn sync(&mut self, file: &'a str) -> Option<String> {
        let is_another = self.unsynced.is_some_and(|(directory, _)| directory != file);
        let broken = if is_another { self.end() } else { None };
        (self.synced, self.unsynced) = (Some(file), None);
        broken
    }

    fn name(&mut self, directory: &'a str, name: &'a str) -> Option<String> {
        let broken = self.end();
        self.synced = None;
        self.unsynced = (!name.contains(TEMPORARY)).then_some((directory, name));
        broken
    }

    fn end(&self) -> Option<String> {
        self.unsynced.map(|(_, name)| format!("the directory of {name} is not synced after {name} is named"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_for_each_thread() {
        let trace = "10 openat(AT_FDCWD, \"a\") = 3\n11 openat(3) = 4\n11 openat(4 <unfinished ...>\n\
                     11 <... openat resumed>) = 5\n11 fsync(4) = 0\n10 getpid() = 1\n";
        let counts = calls_of_threads(trace);
        assert_eq!(counts.get("openat"), Some(&2));
        assert_eq!(counts.get("fsync"), Some(&1));
        assert_eq!(counts.len(), 2);
    }
}

#[cfg(test)]
mod durability_tests {
    use super::*;

    fn check(calls: &[&str], expected: Option<&str>) {
        let trace: String = calls.iter().map(|call| format!("10 {call} = 0\n")).collect();
        assert_eq!(unsynced(&trace).as_deref(), expected, "{trace}");
    }

    #[test]
    fn content_is_synced_before_its_name_and_the_directory_after() {
        let (content, directory) = ("fsync(6)", "fsync(5)");
        let new = "linkat(6, \"\", 5, \"a\", AT_EMPTY_PATH)";
        let temporary = "linkat(6, \"\", 5, \".a.uphold-1\", AT_EMPTY_PATH)";
        let rename = "renameat(5, \".a.uphold-1\", 5, \"a\")";
        let received = "renameat(5, \".a.uphold-partial\", 5, \"a\")";
        check(&[content, new, directory], None);
        check(&[content, temporary, rename, directory], None);
        check(&[content, received, directory], None);
        check(&["renameat2(AT_FDCWD, \"/x\", AT_FDCWD, \"/y\", 0)", "unlinkat(5, \"x\", 0)"], None);
        for named in [&[new][..], &[temporary, rename], &[received]] {
            let is_named = if named.len() == 2 { ".a.uphold-1" } else { "a" };
            let expected = format!("{is_named} is not synced before it is named");
            check(&[named, &[directory]].concat(), Some(&expected));
            let expected = "the directory of a is not synced after a is named";
            check(&[&[content], named].concat(), Some(expected));
            check(&[&[content], named, &[content], named].concat(), Some(expected));
        }
    }
}
