//! The armed interests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use uphold_resource::{Interest, Token};

/// The extent of an interest in a path. Changes of its parent directories always count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Itself,
    Entries,
    Tree,
}

/// The armed interests. Finding the tokens of a change takes a step for each of them, and for each parent directory.
#[derive(Default)]
pub(crate) struct Register {
    armed: BTreeMap<Token, Armed>,
    /// Sorted by component, so that everything below a path follows it.
    places: BTreeMap<PathBuf, BTreeSet<(Token, Reach)>>,
    /// Interests that are not paths.
    others: HashMap<Interest, BTreeSet<Token>>,
}

/// The interests of one token.
#[derive(Default, PartialEq, Eq)]
struct Armed {
    interests: Vec<Interest>,
    places: Vec<(PathBuf, Reach)>,
}

impl Register {
    /// Replaces the interests of `token`. `real` resolves links.
    pub(crate) fn arm(&mut self, token: Token, interests: Vec<Interest>, real: impl Fn(&Path) -> PathBuf) {
        let named = interests.iter().filter_map(place_of);
        let places = named.flat_map(|(path, reach)| [(plain(path), reach), (real(path), reach)]).collect();
        let armed = Armed { interests, places };
        if self.armed.get(&token).is_some_and(|old| *old == armed) {
            return;
        }
        self.forget(token);
        if armed.interests.is_empty() {
            return;
        }
        for (path, reach) in &armed.places {
            self.places.entry(path.clone()).or_default().insert((token, *reach));
        }
        for other in armed.interests.iter().filter(|interest| place_of(interest).is_none()) {
            self.others.entry(other.clone()).or_default().insert(token);
        }
        self.armed.insert(token, armed);
    }

    fn forget(&mut self, token: Token) {
        let Some(Armed { interests, places }) = self.armed.remove(&token) else { return };
        for (path, reach) in places {
            if let Some(all) = self.places.get_mut(&path) {
                all.remove(&(token, reach));
                if all.is_empty() {
                    self.places.remove(&path);
                }
            }
        }
        for interest in &interests {
            if let Some(all) = self.others.get_mut(interest) {
                all.remove(&token);
            }
        }
    }

    /// The tokens of a change at `path`.
    pub(crate) fn concerned(&self, path: &Path) -> BTreeSet<Token> {
        let below = self
            .places
            .range::<Path, _>((Bound::Included(path), Bound::Unbounded))
            .take_while(|(place, _)| place.starts_with(path));
        let mut tokens: BTreeSet<Token> = below.flat_map(|(_, all)| all).map(|(token, _)| *token).collect();
        for (distance, above) in (0..).zip(path.ancestors().skip(1)) {
            let least = if distance == 0 { Reach::Entries } else { Reach::Tree };
            let all = self.places.get(above).into_iter().flatten();
            tokens.extend(all.filter(|(_, reach)| *reach >= least).map(|(token, _)| *token));
        }
        tokens
    }

    /// The tokens of exactly this interest, which is not a path.
    pub(crate) fn interested(&self, interest: &Interest) -> BTreeSet<Token> {
        self.others.get(interest).cloned().unwrap_or_default()
    }

    /// The interests of each token.
    pub(crate) fn armed(&self) -> BTreeMap<Token, Vec<Interest>> {
        self.armed.iter().map(|(token, armed)| (*token, armed.interests.clone())).collect()
    }
}

/// The path of an interest, if it has one.
pub(crate) fn path_of(interest: &Interest) -> Option<&Path> {
    place_of(interest).map(|(path, _)| path)
}

fn place_of(interest: &Interest) -> Option<(&Path, Reach)> {
    match interest {
        Interest::Path(path) => Some((path, Reach::Itself)),
        Interest::Entries(path) => Some((path, Reach::Entries)),
        Interest::Tree(path) => Some((path, Reach::Tree)),
        _ => None,
    }
}

/// The path in normal form, without a slash at the end.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_tokens_of_a_change() {
        let mut register = Register::default();
        let interests =
            [Interest::Path("/a/b".into()), Interest::Entries("/a/b".into()), Interest::Tree("/a/b/".into())];
        for (token, interest) in (1..).zip(interests) {
            register.arm(token, vec![interest], plain);
        }
        let check = |path: &str, expected: &[Token]| {
            let concerned: Vec<Token> = register.concerned(path.as_ref()).into_iter().collect();
            assert_eq!(concerned, expected, "{path}");
        };
        check("/", &[1, 2, 3]);
        check("/a", &[1, 2, 3]);
        check("/a/b", &[1, 2, 3]);
        check("/a/b/c", &[2, 3]);
        check("/a/b/c/d", &[3]);
        check("/a/bc", &[]);
        check("/a/c", &[]);
        check("/c", &[]);
    }

    #[test]
    fn arming_replaces_earlier_interests() {
        let mut register = Register::default();
        register.arm(7, vec![Interest::Path("/a".into()), Interest::Accounts], plain);
        assert_eq!(register.interested(&Interest::Accounts), BTreeSet::from([7]));
        register.arm(7, vec![Interest::Path("/b".into())], plain);
        assert!(register.interested(&Interest::Accounts).is_empty());
        assert!(register.concerned(Path::new("/a")).is_empty());
        assert_eq!(register.concerned(Path::new("/b")), BTreeSet::from([7]));
        register.arm(7, Vec::new(), plain);
        assert!(register.armed().is_empty() && register.places.is_empty());
    }
}
