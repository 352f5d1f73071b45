//! An apply during which names are exchanged.

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, RenameFlags, inotify, renameat_with};

use crate::disk;
use crate::failure::{Failure, Result};
use crate::torture::arena::{Arena, finish, succeeded};

use super::home::Home;

/// The number of delays between two exchanges of a repeated attack.
const PAUSE: u32 = 3;
/// The polling interval for files that the apply has opened.
const POLL: Duration = Duration::from_micros(50);

/// When the attacker acts.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// The delay of each call of the apply, so that an exchange fits between any two.
    pub(super) delay: Duration,
    /// From the apply's first access to the attacker's directory until the first exchange.
    pub(super) wait: Duration,
    /// Whether more exchanges follow.
    pub(super) is_restless: bool,
}

/// The moments of an apply without an attacker.
pub(super) fn undisturbed(arena: &Arena, home: &Home, delay: Duration) -> Result<Moments> {
    succeeded(&finish(&mut traced(arena, delay)?)?)?;
    moments(arena, home)?.ok_or_else(|| Failure::new("an apply without an attacker writes nothing"))
}

/// Applies `links.hcl` under attack. Also returns whether names were exchanged between its lookup and its write.
pub(super) fn apply(arena: &Arena, home: &Home, entries: &[&str], pace: Pace) -> Result<(Output, bool)> {
    let opened = watch(home).map_err(|errno| Failure::new(format!("cannot watch a directory: {errno}")))?;
    let stop = AtomicBool::new(false);
    let mut command = traced(arena, pace.delay)?;
    let (output, exchanges) = std::thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            wait_for_open(&stop, &opened);
            std::thread::sleep(pace.wait);
            exchange_until(&stop, home, entries, pace)
        });
        let output = finish(&mut command);
        stop.store(true, Ordering::Relaxed);
        (output, attacker.join().unwrap_or_default())
    });
    let is_race = moments(arena, home)?.is_some_and(|moments| moments.include(&exchanges, pace.delay));
    Ok((output?, is_race))
}

fn moments(arena: &Arena, home: &Home) -> Result<Option<Moments>> {
    Ok(Moments::of(&disk::read(&arena.path("trace"))?, &home.target()))
}

/// The apply under strace, which writes to `trace` and delays every call that uses a path.
///
/// It begins without a journal: the calls that list earlier runs would be delayed, too. No other user can reach the state
/// directory, so there is nothing to attack in it.
fn traced(arena: &Arena, delay: Duration) -> Result<Command> {
    disk::remove_tree(&arena.path("state"))?;
    let mut command = Command::new("strace");
    command.args(["-f", "--seccomp-bpf", "-qq", "-ttt", "-o"]).arg(arena.path("trace"));
    // A question mark before a name: not every architecture has every call.
    let calls = LOOKUPS.iter().chain(&WRITES).map(|call| format!("?{call}"));
    let calls = calls.collect::<Vec<_>>().join(",");
    command.arg(format!("--trace={calls}"));
    command.arg(format!("--inject={calls}:delay_enter={}", delay.as_micros()));
    command.arg(arena.uphold()).args(["apply", "--quiet"]).arg(arena.path("links.hcl"));
    arena.own_state(&mut command).stdin(Stdio::null());
    Ok(command)
}

/// Reports every open in the attacker's directory: any user can time an attack like this.
fn watch(home: &Home) -> rustix::io::Result<OwnedFd> {
    let opened = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
    inotify::add_watch(&opened, home.path(), inotify::WatchFlags::OPEN)?;
    Ok(opened)
}

fn wait_for_open(stop: &AtomicBool, opened: &OwnedFd) {
    let mut buffer = [MaybeUninit::uninit(); 512];
    while !stop.load(Ordering::Relaxed) && inotify::Reader::new(opened, &mut buffer).next().is_err() {
        std::thread::sleep(POLL);
    }
}

/// Exchanges the target with each other entry in turn; returns the times. Retries a name that the run has just removed.
fn exchange_until(stop: &AtomicBool, home: &Home, entries: &[&str], pace: Pace) -> Vec<SystemTime> {
    let target = home.target();
    let others: Vec<PathBuf> = entries.iter().skip(1).map(|other| home.path().join(other)).collect();
    let mut times = Vec::new();
    for other in others.iter().cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
        if renameat_with(CWD, &target, CWD, other, RenameFlags::EXCHANGE).is_ok() {
            times.push(SystemTime::now());
        }
        if !pace.is_restless && !times.is_empty() {
            break;
        }
        std::thread::sleep(pace.delay * PAUSE);
    }
    times
}

// Reads from a trace whether an apply was raced.

/// Calls that look up a path.
pub(super) const LOOKUPS: [&str; 5] = ["open", "openat", "openat2", "newfstatat", "readlinkat"];

/// Calls that change something, whether they succeed or not.
pub(super) const WRITES: [&str; 12] = [
    "mkdirat",
    "symlinkat",
    "linkat",
    "renameat",
    "renameat2",
    "unlinkat",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "ftruncate",
];

/// Every write begins with this call, which opens the parent without following links.
const BEGINS_WRITE: &str = "openat2";

/// The moments of an apply that reached a write.
pub(super) struct Moments {
    /// The first call that names the attacker's directory.
    approached: SystemTime,
    /// The first call that names the target.
    looked: SystemTime,
    /// The last call that changes something; if the run stopped before because it met an exchanged name, its last call.
    wrote: SystemTime,
}

impl Moments {
    /// None if the run began no write after its lookup of the target.
    pub(super) fn of(trace: &str, target: &Path) -> Option<Self> {
        let quoted = |path: &Path| format!("\"{}", path.display());
        let (home, target) = (quoted(target.parent()?), quoted(target));
        let mut calls = trace.lines().filter_map(call);
        let approach = calls.find(|(_, text)| text.contains(&home))?;
        let mut calls = std::iter::once(approach).chain(calls);
        let (looked, _) = calls.find(|(_, text)| text.contains(&target))?;
        let attempt: Vec<_> =
            calls.skip_while(|(_, text)| !is_any(text, &[BEGINS_WRITE]) && !is_any(text, &WRITES)).collect();
        let change = attempt.iter().rfind(|(_, text)| is_any(text, &WRITES));
        let (wrote, _) = *change.or(attempt.last())?;
        Some(Self { approached: approach.0, looked, wrote })
    }

    /// The time from the approach until `numerator / denominator` of the time from lookup to write is over.
    pub(super) fn part(&self, numerator: u32, denominator: u32) -> Duration {
        let since = |end: SystemTime, start: SystemTime| end.duration_since(start).unwrap_or_default();
        since(self.looked, self.approached) + since(self.wrote, self.looked) * numerator / denominator
    }

    /// Whether one of these exchanges came after the first lookup and before the last write, which took effect `delay`
    /// after the time that strace shows.
    pub(super) fn include(&self, exchanges: &[SystemTime], delay: Duration) -> bool {
        let window = self.looked..=self.wrote + delay;
        exchanges.iter().any(|time| window.contains(time))
    }
}

fn is_any(call: &str, names: &[&str]) -> bool {
    call.split_once('(').is_some_and(|(name, _)| names.contains(&name))
}

/// The time and the rest of a line such as `10 1700000000.000001 openat(3, "x") = 4`.
fn call(line: &str) -> Option<(SystemTime, &str)> {
    let (_, timed) = line.split_once(' ')?;
    let (time, text) = timed.trim_start().split_once(' ')?;
    let (seconds, micros) = time.split_once('.')?;
    let time = Duration::from_secs(seconds.parse().ok()?) + Duration::from_micros(micros.parse().ok()?);
    Some((SystemTime::UNIX_EPOCH + time, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPROACH: &str = "10 1.000001 openat2(AT_FDCWD, \"/h\", {}) = 4\n";
    const LOOKUP: &str = "10  1.000002 newfstatat(AT_FDCWD, \"/h/x\", {}) = 0\n";
    const WRITE: &str = "11 1.000040 fchmodat(AT_FDCWD, \"/proc/self/fd/6\", 0755 <unfinished ...>\n\
                         11 1.000041 <... fchmodat resumed>) = 0\n10 1.000050 openat(3, \"x\") = 4\n";

    fn at(micros: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1) + Duration::from_micros(micros)
    }

    fn check(trace: &str, expected: Option<[u64; 3]>) {
        let found = Moments::of(trace, Path::new("/h/x"));
        let found = found.map(|found| [found.approached, found.looked, found.wrote]);
        assert_eq!(found, expected.map(|times| times.map(at)), "{trace}");
    }

    #[test]
    fn a_race_needs_a_lookup_and_then_a_write() {
        check(&[APPROACH, LOOKUP, WRITE].concat(), Some([1, 2, 40]));
        let refused = "10 1.000030 openat2(AT_FDCWD, \"/h\", {}) = 4\n10 1.000035 openat(4, \"x\") = 5\n";
        check(&[APPROACH, LOOKUP, refused].concat(), Some([1, 2, 35]));
        check(&[LOOKUP, WRITE].concat(), Some([2, 2, 40]));
        check(&[APPROACH, LOOKUP].concat(), None);
        check(WRITE, None);
        check("", None);
    }

    #[test]
    fn only_an_exchange_before_the_write_is_a_race() {
        let moments = Moments { approached: at(1), looked: at(2), wrote: at(40) };
        let includes = |micros| moments.include(&[at(micros)], Duration::from_micros(5));
        assert_eq!([1, 2, 45, 46].map(includes), [false, true, true, false]);
        let part = |numerator| moments.part(numerator, 2).as_micros();
        assert_eq!([0, 1, 2].map(part), [1, 20, 39]);
    }
}
