//! A set of numbers that usually contains one.

use std::collections::BTreeSet;

/// A set of numbers. A single number takes no extra memory; insertion and removal take logarithmic time.
#[derive(Debug, Default)]
pub(super) enum SmallSet {
    /// Empty.
    #[default]
    None,
    /// The usual case.
    One(u32),
    /// Several, such as for a file that many resources depend on.
    #[expect(clippy::box_collection, reason = "each watched file has one, usually with one number")]
    Many(Box<BTreeSet<u32>>),
}

impl SmallSet {
    /// Adds a number. Returns whether it is new.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        match self {
            Self::None => *self = Self::One(number),
            Self::One(only) if *only == number => return false,
            Self::One(only) => *self = Self::Many(Box::new(BTreeSet::from([*only, number]))),
            Self::Many(many) => return many.insert(number),
        }
        true
    }

    /// Removes a number.
    pub(super) fn remove(&mut self, number: u32) {
        match self {
            Self::One(only) if *only == number => *self = Self::None,
            Self::Many(many) => {
                many.remove(&number);
                if many.is_empty() {
                    *self = Self::None;
                }
            }
            Self::None | Self::One(_) => {}
        }
    }

    /// Whether it is empty.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// All numbers, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let (one, many) = match self {
            Self::None => (None, None),
            Self::One(only) => (Some(*only), None),
            Self::Many(many) => (None, Some(many.iter().copied())),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_and_removes() {
        let check = |inserted: &[u32], removed: &[u32], expected: &[u32]| {
            let mut numbers = SmallSet::default();
            for number in inserted {
                numbers.insert(*number);
            }
            removed.iter().for_each(|number| numbers.remove(*number));
            assert_eq!(numbers.iter().collect::<Vec<_>>(), expected, "{inserted:?} without {removed:?}");
            assert_eq!(numbers.is_empty(), expected.is_empty());
        };
        check(&[], &[1], &[]);
        check(&[7], &[], &[7]);
        check(&[7, 7], &[7], &[]);
        check(&[7], &[8], &[7]);
        check(&[3, 1, 2, 1], &[], &[1, 2, 3]);
        check(&[3, 1], &[3], &[1]);
        check(&[3, 1], &[3, 1], &[]);
        check(&[3, 1, 2], &[1, 9], &[2, 3]);
    }

    #[test]
    fn insert_returns_whether_it_is_new() {
        let mut numbers = SmallSet::default();
        let news: Vec<bool> = [1, 1, 2, 2, 1].into_iter().map(|number| numbers.insert(number)).collect();
        assert_eq!(news, [true, false, true, false, false]);
    }
}
