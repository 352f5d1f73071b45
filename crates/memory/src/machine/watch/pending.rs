//! Reports that were not collected yet.

use std::collections::VecDeque;

use uphold_resource::WatchEvent;

use super::faults::{Chance, Trouble};

/// Reports that were not collected yet, in order, with the injected faults.
#[derive(Default)]
pub(crate) struct Pending {
    waiting: VecDeque<Report>,
    faults: Trouble,
    chance: Chance,
}

struct Report {
    news: WatchEvent,
    /// How many collections it misses.
    delay: usize,
}

impl Pending {
    /// Injects faults.
    pub(crate) fn suffer(&mut self, seed: u64, faults: Trouble) {
        (self.faults, self.chance) = (faults, Chance::new(seed));
    }

    /// Whether an injected fault prevents this arming.
    pub(crate) fn refuses(&mut self) -> bool {
        self.chance.happens(self.faults.refused)
    }

    pub(crate) fn push(&mut self, news: WatchEvent) {
        let Self { faults, chance, .. } = self;
        if chance.happens(faults.lost) {
            return;
        }
        if chance.happens(faults.overflowing) {
            return self.overflow();
        }
        let delay = if chance.happens(faults.delayed) { 1 + chance.roll(3) } else { 0 };
        if chance.happens(faults.doubled) {
            self.waiting.push_back(Report { news: news.clone(), delay: 0 });
        }
        self.waiting.push_back(Report { news, delay });
    }

    /// Drops all reports, and reports that they were lost.
    pub(crate) fn overflow(&mut self) {
        self.waiting.clear();
        self.waiting.push_back(Report { news: WatchEvent::Lost, delay: 0 });
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The reports of this collection.
    pub(crate) fn take(&mut self) -> Vec<WatchEvent> {
        let mut taken = Vec::new();
        for mut report in std::mem::take(&mut self.waiting) {
            match report.delay {
                0 => taken.push(report.news),
                _ => {
                    report.delay -= 1;
                    self.waiting.push_back(report);
                }
            }
        }
        if self.chance.happens(self.faults.shuffled) {
            for last in (1..taken.len()).rev() {
                taken.swap(last, self.chance.roll(last + 1));
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALWAYS: u8 = 100;

    /// The result of five reports, by collection.
    fn collections(faults: Trouble) -> Vec<Vec<String>> {
        let mut pending = Pending::default();
        pending.suffer(1, faults);
        for token in 0..5 {
            pending.push(WatchEvent::Blind { token, because: String::new() });
        }
        let word = |news: WatchEvent| match news {
            WatchEvent::Blind { token, .. } => token.to_string(),
            other => format!("{other:?}"),
        };
        (0..4).map(|_| pending.take().into_iter().map(word).collect()).collect()
    }

    #[test]
    fn injects_faults() {
        let first = |faults| collections(faults).swap_remove(0).join(" ");
        assert_eq!(first(Trouble::default()), "0 1 2 3 4");
        assert_eq!(first(Trouble { lost: ALWAYS, ..Trouble::default() }), "");
        assert_eq!(first(Trouble { doubled: ALWAYS, ..Trouble::default() }), "0 0 1 1 2 2 3 3 4 4");
        assert_eq!(first(Trouble { overflowing: ALWAYS, ..Trouble::default() }), "Lost");
        let shuffled = first(Trouble { shuffled: ALWAYS, ..Trouble::default() });
        assert!(shuffled != "0 1 2 3 4" && shuffled.len() == 9, "{shuffled}");
    }

    #[test]
    fn delays_reports() {
        let all = collections(Trouble { delayed: ALWAYS, ..Trouble::default() });
        assert!(all[0].is_empty(), "{all:?}");
        assert_eq!(all.concat().len(), 5, "{all:?}");
    }
}
