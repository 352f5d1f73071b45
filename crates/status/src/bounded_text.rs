//! Texts and name lists of bounded size: the model must not grow with its input.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use uphold_model::{Difference, Name};

/// The longest message that is kept, in bytes: a few lines of a terminal.
const LONGEST: usize = 600;

/// The text, or its beginning if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST);
    if end == text.len() { text.to_owned() } else { format!("{}…", &text[..end]) }
}

/// The most names of one change.
const NAMES: usize = 12;

/// The most lists: kinds have few properties, so few combinations occur.
const LISTS: usize = 1_024;

/// Lists of property names. Equal lists share memory: most resources of a kind change in the same properties.
#[derive(Debug, Default)]
pub(crate) struct PropertyLists(FxHashSet<Arc<[Name]>>);

impl PropertyLists {
    /// The names of the properties that differ.
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

    #[test]
    fn long_text_is_cut_between_characters() {
        let check = |text: &str, expected: &str| assert_eq!(excerpt(text), expected);
        check("", "");
        check("short", "short");
        check(&"x".repeat(LONGEST), &"x".repeat(LONGEST));
        check(&"x".repeat(LONGEST + 1), &format!("{}…", "x".repeat(LONGEST)));
        let wide = format!("{}é and more", "x".repeat(LONGEST - 1));
        check(&wide, &format!("{}…", "x".repeat(LONGEST - 1)));
    }

    fn differences(names: impl IntoIterator<Item = String>) -> Vec<Difference> {
        let difference =
            |name: String| Difference { property: name.into(), from: Side::Absent, to: Side::Absent };
        names.into_iter().map(difference).collect()
    }

    #[test]
    fn equal_lists_are_shared_and_long_ones_cut() {
        let mut lists = PropertyLists::default();
        let mode = || differences(["mode".to_owned()]);
        assert!(Arc::ptr_eq(&lists.names(&mode()), &lists.names(&mode())));
        let many = lists.names(&differences((0..NAMES + 3).map(|at| at.to_string())));
        assert_eq!((many.len(), &*many[NAMES]), (NAMES + 1, "3 more"));
    }

    #[test]
    fn lists_are_bounded() {
        let mut lists = PropertyLists::default();
        for at in 0..3 * LISTS {
            lists.names(&differences([at.to_string()]));
        }
        assert!(lists.0.len() <= LISTS);
    }
}
