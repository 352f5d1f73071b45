//! What waits to be told.

use std::collections::VecDeque;

use uphold_resource::News;

use super::trouble::{Chance, Trouble};

/// What waits to be told, in order, as well as the machine reports.
#[derive(Default)]
pub(crate) struct Pending {
    waiting: VecDeque<Report>,
    trouble: Trouble,
    chance: Chance,
}

struct Report {
    news: News,
    /// How many collections it sits out.
    delay: usize,
}

impl Pending {
    /// From now on it reports as badly as this.
    pub(crate) fn suffer(&mut self, seed: u64, trouble: Trouble) {
        (self.trouble, self.chance) = (trouble, Chance::new(seed));
    }

    /// Whether this once nothing can be watched.
    pub(crate) fn refuses(&mut self) -> bool {
        self.chance.happens(self.trouble.refused)
    }

    pub(crate) fn push(&mut self, news: News) {
        let Self { trouble, chance, .. } = self;
        if chance.happens(trouble.lost) {
            return;
        }
        if chance.happens(trouble.overflowing) {
            return self.overflow();
        }
        let delay = if chance.happens(trouble.delayed) { 1 + chance.roll(3) } else { 0 };
        if chance.happens(trouble.doubled) {
            self.waiting.push_back(Report { news: news.clone(), delay: 0 });
        }
        self.waiting.push_back(Report { news, delay });
    }

    /// All that wait are lost, which is all that is told.
    pub(crate) fn overflow(&mut self) {
        self.waiting.clear();
        self.waiting.push_back(Report { news: News::Lost, delay: 0 });
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What is told now.
    pub(crate) fn take(&mut self) -> Vec<News> {
        let mut told = Vec::new();
        for mut report in std::mem::take(&mut self.waiting) {
            match report.delay {
                0 => told.push(report.news),
                _ => {
                    report.delay -= 1;
                    self.waiting.push_back(report);
                }
            }
        }
        if self.chance.happens(self.trouble.shuffled) {
            for last in (1..told.len()).rev() {
                told.swap(last, self.chance.roll(last + 1));
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALWAYS: u8 = 100;

    /// What comes of five reports, collection by collection.
    fn told(trouble: Trouble) -> Vec<Vec<String>> {
        let mut pending = Pending::default();
        pending.suffer(1, trouble);
        for token in 0..5 {
            pending.push(News::Blind { token, because: String::new() });
        }
        let word = |news: News| match news {
            News::Blind { token, .. } => token.to_string(),
            other => format!("{other:?}"),
        };
        (0..4).map(|_| pending.take().into_iter().map(word).collect()).collect()
    }

    #[test]
    fn trouble_is_what_it_says() {
        let first = |trouble| told(trouble).swap_remove(0).join(" ");
        assert_eq!(first(Trouble::default()), "0 1 2 3 4");
        assert_eq!(first(Trouble { lost: ALWAYS, ..Trouble::default() }), "");
        assert_eq!(first(Trouble { doubled: ALWAYS, ..Trouble::default() }), "0 0 1 1 2 2 3 3 4 4");
        assert_eq!(first(Trouble { overflowing: ALWAYS, ..Trouble::default() }), "Lost");
        let shuffled = first(Trouble { shuffled: ALWAYS, ..Trouble::default() });
        assert!(shuffled != "0 1 2 3 4" && shuffled.len() == 9, "{shuffled}");
    }

    #[test]
    fn what_is_delayed_comes_later() {
        let all = told(Trouble { delayed: ALWAYS, ..Trouble::default() });
        assert!(all[0].is_empty(), "{all:?}");
        assert_eq!(all.concat().len(), 5, "{all:?}");
    }
}
