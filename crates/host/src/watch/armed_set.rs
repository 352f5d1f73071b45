//! The interests of one token.

use uphold_resource::Interest;

use super::paths::PathInterest;

/// The interests of one token. Most have one path, which costs no extra memory.
#[derive(Default)]
pub(super) struct ArmedSet {
    /// A digest of the interests, unless some of them could not be armed.
    pub(super) print: Option<u64>,
    pub(super) only: Option<PathInterest>,
    pub(super) more: Option<Box<MoreArmed>>,
}

/// The interests of tokens with more than one path, or with others than paths.
pub(super) struct MoreArmed {
    /// All paths, sorted.
    paths: Box<[PathInterest]>,
    /// Interests that are not paths.
    others: Box<[Interest]>,
}

impl ArmedSet {
    /// These paths and other interests. `print` is `None` if some could not be armed.
    pub(super) fn new(print: Option<u64>, mut paths: Vec<PathInterest>, others: Vec<Interest>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        match paths[..] {
            [] if others.is_empty() => Self { print, ..Self::default() },
            [only] if others.is_empty() => Self { print, only: Some(only), more: None },
            _ => {
                let more = MoreArmed { paths: paths.into(), others: others.into() };
                Self { print, only: None, more: Some(Box::new(more)) }
            }
        }
    }

    /// The paths, sorted.
    pub(super) fn paths(&self) -> &[PathInterest] {
        match &self.more {
            Some(more) => &more.paths,
            None => self.only.as_slice(),
        }
    }

    /// The interests that are not paths.
    pub(super) fn others(&self) -> &[Interest] {
        self.more.as_ref().map_or(&[], |more| &more.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::paths::Extent;

    #[test]
    fn returns_its_interests() {
        let path = |at| PathInterest { at, extent: Extent::Path };
        let check = |paths: &[u32], others: &[Interest], expected: &[u32]| {
            let armed = ArmedSet::new(Some(7), paths.iter().copied().map(path).collect(), others.to_vec());
            assert_eq!(armed.paths(), expected.iter().copied().map(path).collect::<Vec<_>>());
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
