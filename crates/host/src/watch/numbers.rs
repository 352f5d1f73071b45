//! A set of numbers that mostly holds one.

use std::collections::BTreeSet;

/// A set of numbers. One of them costs no memory of its own; adding and removing costs a logarithm at most.
#[derive(Debug, Default)]
pub(super) enum Numbers {
    /// Nothing.
    #[default]
    None,
    /// Mostly this.
    One(u32),
    /// As it is with a file that many stand on.
    #[expect(
        clippy::box_collection,
        reason = "there is one of these for each watched file, mostly with one number"
    )]
    Many(Box<BTreeSet<u32>>),
}

impl Numbers {
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

    /// Takes a number out.
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

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// All of them, the smallest first.
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
    fn it_is_a_set() {
        let check = |inserted: &[u32], removed: &[u32], expected: &[u32]| {
            let mut numbers = Numbers::default();
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
    fn whether_it_is_new() {
        let mut numbers = Numbers::default();
        let news: Vec<bool> = [1, 1, 2, 2, 1].into_iter().map(|number| numbers.insert(number)).collect();
        assert_eq!(news, [true, false, true, false, false]);
    }
}
