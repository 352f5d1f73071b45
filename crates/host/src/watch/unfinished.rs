//! Writes that are not finished yet.
//!
//! Who writes a file in place mostly empties it first. Whoever acted on that would replace a file that is half there,
//! and what the writer has still to say would go into one that has no name any more.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a writer has to close the file. Long enough for what is written in one go, and short enough for a file
/// that stays open, as a log does, or that was cut by its path, which opens nothing.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// So many are remembered, about a megabyte of them; whatever is more is told at once.
const MOST: usize = 10_000;

/// A watch, and a name in the directory that it is on, or no name if it is on the file itself.
type Place = (i32, Arc<OsStr>);

/// Which files were written and not closed, each once. Everything costs a logarithm at most.
#[derive(Default)]
pub(super) struct Unfinished {
    /// When each of them has to be told.
    writes: HashMap<i32, HashMap<Arc<OsStr>, Instant>>,
    /// The same, the first one first.
    order: BTreeSet<(Instant, Place)>,
}

impl Unfinished {
    /// The file was written. Returns whether it will be told later: it is not if there are too many.
    pub(super) fn begin(&mut self, watch: i32, name: &OsStr, now: Instant) -> bool {
        if self.knows(watch, name) {
            return true;
        }
        if self.order.len() >= MOST {
            return false;
        }
        let (name, due): (Arc<OsStr>, _) = (name.into(), now + PATIENCE);
        self.writes.entry(watch).or_default().insert(name.clone(), due);
        self.order.insert((due, (watch, name)));
        true
    }

    /// Whether the file will be told later already.
    pub(super) fn knows(&self, watch: i32, name: &OsStr) -> bool {
        self.writes.get(&watch).is_some_and(|names| names.contains_key(name))
    }

    /// What happened to the file is told now.
    pub(super) fn end(&mut self, watch: i32, name: &OsStr) {
        let Some(names) = self.writes.get_mut(&watch) else { return };
        let Some((name, due)) = names.remove_entry(name) else { return };
        if names.is_empty() {
            self.writes.remove(&watch);
        }
        self.order.remove(&(due, (watch, name)));
    }

    /// There is no such watch any more.
    pub(super) fn forget(&mut self, watch: i32) {
        for (name, due) in self.writes.remove(&watch).into_iter().flatten() {
            self.order.remove(&(due, (watch, name)));
        }
    }

    /// When the first of them has to be told.
    pub(super) fn due(&self) -> Option<Instant> {
        self.order.first().map(|(due, _)| *due)
    }

    /// Takes out one that has to be told by now.
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

    /// Each act happens a tenth of a second after the one before; what is taken out at that tenth must be this.
    #[track_caller]
    fn check(acts: &[Act], taken_at: u32, expected: &[(i32, &str)]) {
        let (begin, tenth) = (Instant::now(), Duration::from_millis(100));
        let mut unfinished = Unfinished::default();
        for (number, act) in (0..).zip(acts) {
            match act {
                Act::Begin(watch, name) => {
                    assert!(unfinished.begin(*watch, OsStr::new(name), begin + tenth * number));
                }
                Act::End(watch, name) => unfinished.end(*watch, OsStr::new(name)),
                Act::Forget(watch) => unfinished.forget(*watch),
            }
        }
        let taken: Vec<Place> =
            std::iter::from_fn(|| unfinished.take_due(begin + tenth * taken_at)).collect();
        let expected: Vec<Place> =
            expected.iter().map(|(watch, name)| (*watch, OsStr::new(name).into())).collect();
        assert_eq!(taken, expected);
        let left: usize = unfinished.writes.values().map(HashMap::len).sum();
        assert_eq!(left, unfinished.order.len(), "both know the same");
        assert!(unfinished.writes.values().all(|names| !names.is_empty()), "nothing is left over");
    }

    #[test]
    fn what_is_not_ended_is_taken_after_a_second() {
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
    fn there_is_an_end_to_it() {
        let (mut unfinished, now) = (Unfinished::default(), Instant::now());
        for number in 0..MOST {
            assert!(unfinished.begin(1, OsStr::new(&number.to_string()), now));
        }
        assert!(!unfinished.begin(1, OsStr::new("more"), now), "one too many");
        assert!(unfinished.begin(1, OsStr::new("7"), now), "one that is known");
        unfinished.end(1, OsStr::new("7"));
        assert!(unfinished.begin(1, OsStr::new("more"), now), "there is room again");
    }
}
