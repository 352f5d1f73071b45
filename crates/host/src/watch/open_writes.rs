//! Writes to files that are still open.
//!
//! A process that writes a file in place usually truncates it first. A resource that acted then would replace an incomplete
//! file, and the rest of the write would go to a file without a name.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for the file to be closed: enough for a quick write, and short for a file that stays open, such as a
/// log, or that was truncated by its path, which opens nothing.
pub(super) const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The limit for remembered writes, about a megabyte of memory; more are reported immediately.
const MOST: usize = 10_000;

/// A watch, and a name in its directory, or an empty name if the file itself is watched.
type Place = (i32, Arc<OsStr>);

/// Files that were written and not closed. Every operation takes logarithmic time at most.
#[derive(Default)]
pub(super) struct OpenWrites {
    /// When each of them must be reported.
    writes: HashMap<i32, HashMap<Arc<OsStr>, Instant>>,
    /// The same, in the order of time.
    order: BTreeSet<(Instant, Place)>,
}

impl OpenWrites {
    /// Records a write. Returns whether it will be reported later, which is false if there are too many.
    pub(super) fn begin(&mut self, watch: i32, name: &OsStr, now: Instant) -> bool {
        if self.contains(watch, name) {
            return true;
        }
        if self.order.len() >= MOST {
            return false;
        }
        let (name, due): (Arc<OsStr>, _) = (name.into(), now + CLOSE_TIMEOUT);
        self.writes.entry(watch).or_default().insert(name.clone(), due);
        self.order.insert((due, (watch, name)));
        true
    }

    /// Whether a write of the file is recorded.
    pub(super) fn contains(&self, watch: i32, name: &OsStr) -> bool {
        self.writes.get(&watch).is_some_and(|names| names.contains_key(name))
    }

    /// Removes a write, because the file is reported now.
    pub(super) fn end(&mut self, watch: i32, name: &OsStr) {
        let Some(names) = self.writes.get_mut(&watch) else { return };
        let Some((name, due)) = names.remove_entry(name) else { return };
        if names.is_empty() {
            self.writes.remove(&watch);
        }
        self.order.remove(&(due, (watch, name)));
    }

    /// Removes all writes of a watch that ended.
    pub(super) fn forget(&mut self, watch: i32) {
        for (name, due) in self.writes.remove(&watch).into_iter().flatten() {
            self.order.remove(&(due, (watch, name)));
        }
    }

    /// When the first of them must be reported.
    pub(super) fn due(&self) -> Option<Instant> {
        self.order.first().map(|(due, _)| *due)
    }

    /// Takes one that must be reported by now.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Place> {
        if self.due()? > now {
            return None;
        }
        let (_, (watch, name)) = self.order.pop_first()?;
        if let Some(names) = self.writes.get_mut(&watch) {
            names.remove(&name);
            if names.is_empty() {
                self.writes.remove(&watch);
            }
        }
        Some((watch, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Act {
        Begin(i32, &'static str),
        End(i32, &'static str),
        Forget(i32),
    }

    /// Makes the steps a tenth of a second apart; exactly `expected` must be due at tenth `taken_at`.
    #[track_caller]
    fn check(acts: &[Act], taken_at: u32, expected: &[(i32, &str)]) {
        let (begin, tenth) = (Instant::now(), Duration::from_millis(100));
        let mut open_writes = OpenWrites::default();
        for (number, act) in (0..).zip(acts) {
            match act {
                Act::Begin(watch, name) => {
                    assert!(open_writes.begin(*watch, OsStr::new(name), begin + tenth * number));
                }
                Act::End(watch, name) => open_writes.end(*watch, OsStr::new(name)),
                Act::Forget(watch) => open_writes.forget(*watch),
            }
        }
        let taken: Vec<Place> =
            std::iter::from_fn(|| open_writes.take_due(begin + tenth * taken_at)).collect();
        let expected: Vec<Place> =
            expected.iter().map(|(watch, name)| (*watch, OsStr::new(name).into())).collect();
        assert_eq!(taken, expected);
        let left: usize = open_writes.writes.values().map(HashMap::len).sum();
        assert_eq!(left, open_writes.order.len(), "both have the same entries");
        assert!(open_writes.writes.values().all(|names| !names.is_empty()), "no entry is empty");
    }

    #[test]
    fn an_open_write_is_due_after_a_second() {
        use Act::{Begin, End, Forget};
        check(&[Begin(1, "a")], 9, &[]);
        check(&[Begin(1, "a")], 10, &[(1, "a")]);
        check(&[Begin(1, "a"), Begin(1, "a"), Begin(1, "a")], 10, &[(1, "a")]);
        check(&[Begin(2, "a"), Begin(1, "b"), Begin(1, "a")], 11, &[(2, "a"), (1, "b")]);
        check(&[Begin(1, "a"), Begin(1, "b"), Begin(2, "a"), End(1, "a")], 99, &[(1, "b"), (2, "a")]);
        check(&[Begin(1, "a"), End(1, "a"), Begin(1, "a")], 11, &[]);
        check(&[Begin(1, "a"), End(1, "a"), Begin(1, "a")], 12, &[(1, "a")]);
        check(&[Begin(1, "a"), Begin(1, ""), Begin(2, "a"), Forget(1), End(7, "a")], 99, &[(2, "a")]);
    }

    #[test]
    fn remembers_a_limited_number() {
        let (mut open_writes, now) = (OpenWrites::default(), Instant::now());
        for number in 0..MOST {
            assert!(open_writes.begin(1, OsStr::new(&number.to_string()), now));
        }
        assert!(!open_writes.begin(1, OsStr::new("more"), now), "one too many");
        assert!(open_writes.begin(1, OsStr::new("7"), now), "a known one");
        open_writes.end(1, OsStr::new("7"));
        assert!(open_writes.begin(1, OsStr::new("more"), now), "room for another one");
    }
}
