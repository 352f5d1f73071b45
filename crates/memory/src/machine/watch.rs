//! The watcher of a machine in memory.

mod controls;
mod mailbox;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mailbox::WaitMode;
use uphold_resource::{Error, Interest, Result, Token, WatchEvent, Watcher};

use super::MemoryHost;

pub use controls::Trouble;

pub(crate) use mailbox::WatchMailbox;

/// Reports changes on a machine in memory, with the guarantees of the real watcher unless [faults](MemoryHost::suffer) are
/// injected.
///
/// A change through another hard link of a file is not reported, nor one behind a link that was broken when it was armed.
pub(crate) struct MemoryWatcher {
    pub(crate) host: MemoryHost,
}

impl MemoryWatcher {
    fn mailbox(&self) -> &WatchMailbox {
        &self.host.mailbox
    }
}

impl Watcher for MemoryWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        // Held throughout, so that links do not change between their resolution and the arming.
        let state = self.host.lock();
        let mut inbox = self.mailbox().inbox();
        inbox.armings.push((token, interests.to_vec()));
        let blocked = if inbox.pending.refuses() { Some(PathBuf::from("/")) } else { inbox.refused.clone() };
        let is_blocked = |interest: &Interest| {
            let path = path_of(interest);
            path.zip(blocked.as_deref()).is_some_and(|(path, blocked)| path.starts_with(blocked))
        };
        let timeless = interests.iter().filter(|interest| !matches!(interest, Interest::Interval(_)));
        let (refused, watched): (Vec<_>, Vec<_>) = timeless.cloned().partition(is_blocked);
        inbox.register.arm(token, watched, |path| state.world.tree.real(path));
        match refused.first() {
            None => Ok(()),
            Some(first) => Err(Error::failed(format!("cannot watch {first}: no watches are left"))),
        }
    }

    fn collect(&self, report: &mut dyn FnMut(WatchEvent)) {
        let _alone = self.mailbox().collecting.lock();
        let taken = self.mailbox().inbox().pending.take();
        taken.into_iter().for_each(report);
    }

    fn wait(&self, span: Option<Duration>) {
        if self.mailbox().is_due() {
            return;
        }
        let mut mode = self.mailbox().wait_mode.lock();
        match &mut *mode {
            WaitMode::Scripted(script) => script(&self.host, span),
            WaitMode::Skipped => self
                .host
                .advance(span.expect("a wait without a limit would never end: set a script with `on_wait`")),
            WaitMode::Real => {
                drop(mode);
                if self.mailbox().sleep(span) {
                    self.host.advance(span.unwrap_or_default());
                }
            }
        }
    }

    fn nudge(&self) {
        self.mailbox().nudge();
    }
}

// The armed interests.

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
