//! Names of properties that were changed, each list kept once.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use uphold_model::{Difference, Name};

/// How many names are kept of one change.
const NAMES: usize = 12;

/// How many lists are known at a time: kinds have few properties, so that few combinations occur.
const LISTS: usize = 1_024;

/// Gives equal lists the same memory: most resources of a kind are changed in the same properties.
#[derive(Debug, Default)]
pub(crate) struct Naming(FxHashSet<Arc<[Name]>>);

impl Naming {
    /// The names of what differs.
    pub(crate) fn names(&mut self, differences: &[Difference]) -> Arc<[Name]> {
        let mut names: Vec<Name> = differences.iter().take(NAMES).map(|one| one.property.clone()).collect();
        if differences.len() > NAMES {
            names.push(format!("{} more", differences.len() - NAMES).into());
        }
        if let Some(known) = self.0.get(names.as_slice()) {
            return known.clone();
        }
        if self.0.len() == LISTS {
            self.0.clear();
        }
        let names: Arc<[Name]> = names.into();
        self.0.insert(names.clone());
        names
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::Side;

    use super::*;

    fn differences(names: impl IntoIterator<Item = String>) -> Vec<Difference> {
        let difference =
            |name: String| Difference { property: name.into(), from: Side::Absent, to: Side::Absent };
        names.into_iter().map(difference).collect()
    }

    #[test]
    fn equal_lists_are_one_and_long_ones_are_cut() {
        let mut naming = Naming::default();
        let mode = || differences(["mode".to_owned()]);
        assert!(Arc::ptr_eq(&naming.names(&mode()), &naming.names(&mode())));
        let many = naming.names(&differences((0..NAMES + 3).map(|at| at.to_string())));
        assert_eq!((many.len(), &*many[NAMES]), (NAMES + 1, "3 more"));
    }

    #[test]
    fn lists_that_nobody_could_foresee_do_not_pile_up() {
        let mut naming = Naming::default();
        for at in 0..3 * LISTS {
            naming.names(&differences([at.to_string()]));
        }
        assert!(naming.0.len() <= LISTS);
    }
}
