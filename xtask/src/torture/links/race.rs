//! Reads from a trace whether an apply was raced.

use std::path::Path;
use std::time::{Duration, SystemTime};

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
