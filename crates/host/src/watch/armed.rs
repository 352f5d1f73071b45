//! What is armed for whom.

use uphold_resource::Interest;

use super::paths::Hold;

/// What is armed for one token. Mostly one path: that costs no memory of its own.
#[derive(Default)]
pub(super) struct Armed {
    /// Digest of the interests, unless some of them could not be armed.
    pub(super) print: Option<u64>,
    pub(super) only: Option<Hold>,
    pub(super) more: Option<Box<More>>,
}

/// What most tokens have nothing of.
pub(super) struct More {
    /// All holds, sorted.
    holds: Box<[Hold]>,
    /// What is not a path.
    others: Box<[Interest]>,
}

impl Armed {
    /// These holds and other interests. `print` is none if there is more that could not be armed.
    pub(super) fn new(print: Option<u64>, mut holds: Vec<Hold>, others: Vec<Interest>) -> Self {
        holds.sort_unstable();
        holds.dedup();
        match holds[..] {
            [] if others.is_empty() => Self { print, ..Self::default() },
            [only] if others.is_empty() => Self { print, only: Some(only), more: None },
            _ => {
                let more = More { holds: holds.into(), others: others.into() };
                Self { print, only: None, more: Some(Box::new(more)) }
            }
        }
    }

    /// The holds, sorted.
    pub(super) fn holds(&self) -> &[Hold] {
        match &self.more {
            Some(more) => &more.holds,
            None => self.only.as_slice(),
        }
    }

    /// What is not a path.
    pub(super) fn others(&self) -> &[Interest] {
        self.more.as_ref().map_or(&[], |more| &more.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::paths::Extent;

    #[test]
    fn what_goes_in_comes_out() {
        let hold = |at| Hold { at, extent: Extent::Path };
        let check = |holds: &[u32], others: &[Interest], expected: &[u32]| {
            let armed = Armed::new(Some(7), holds.iter().copied().map(hold).collect(), others.to_vec());
            assert_eq!(armed.holds(), expected.iter().copied().map(hold).collect::<Vec<_>>());
            assert_eq!(armed.others(), others);
        };
        check(&[], &[], &[]);
        check(&[3], &[], &[3]);
        check(&[3, 3], &[], &[3]);
        check(&[3, 1, 3], &[], &[1, 3]);
        check(&[3], &[Interest::Process("p".into())], &[3]);
        check(&[], &[Interest::Process("p".into())], &[]);
    }
}
