//! A node of the watch tree.

use std::ffi::OsStr;

use super::small_set::SmallSet;
use hashbrown::HashTable;

/// The id of a node.
pub(super) type Id = u32;

/// The root directory.
pub(super) const TOP: Id = 0;

/// The value of `first` without a token. A token with this number is stored among the others.
const NO_TOKEN: u32 = u32::MAX;

/// The parent of a removed node.
pub(super) const GONE: Id = Id::MAX;

/// A name on the path to something that is watched.
#[derive(Debug)]
pub(super) struct WatchNode {
    /// Its directory.
    pub(super) parent: Id,
    /// Its name in that directory.
    pub(super) name: Box<OsStr>,
    /// The first token that watches this very path.
    first: u32,
    /// Everything else.
    pub(super) details: Option<Box<NodeDetails>>,
}

/// Details of a node, which most nodes do not have: they are files that one resource manages.
#[derive(Debug, Default)]
pub(super) struct NodeDetails {
    /// The nodes in this directory.
    pub(super) children: HashTable<Id>,
    /// Further tokens that watch this very path.
    others: SmallSet,
    /// Tokens that watch the names in this directory.
    pub(super) entries: SmallSet,
    /// Tokens that watch everything below.
    pub(super) trees: SmallSet,
    /// The links whose route contains this node.
    pub(super) followers: SmallSet,
    /// For a link: the links on the route to its target, and finally the target.
    pub(super) follows: Vec<Id>,
    /// The inotify watch, while it is watched.
    pub(super) watch: Option<i32>,
    /// Whether content and attributes of its entries matter, not only their names.
    pub(super) with_content: bool,
    /// Whether it is a directory below the top of a watched tree.
    pub(super) in_tree: bool,
    /// Whether its directory does not see all of its changes: it is a mount point, or a file with other hard links.
    pub(super) shared: bool,
    /// Whether it did not exist when it was last probed.
    pub(super) absent: bool,
    /// Whether a watched path leads through it.
    pub(super) on_route: bool,
    /// Whether it is a link that was not followed, because too many came before it.
    pub(super) unresolved: bool,
}

impl WatchNode {
    /// A node without tokens.
    pub(super) fn new(parent: Id, name: Box<OsStr>) -> Self {
        Self { parent, name, first: NO_TOKEN, details: None }
    }

    /// Adds a token that watches this very path. The first costs no memory.
    pub(super) fn add_token(&mut self, token: u32) {
        if self.is_first(token) {
            return;
        }
        if token != NO_TOKEN && !self.is_watched() {
            self.first = token;
        } else {
            self.details.get_or_insert_default().others.insert(token);
        }
    }

    /// Removes a token that watches this very path.
    pub(super) fn remove_token(&mut self, token: u32) {
        if self.is_first(token) {
            self.first = NO_TOKEN;
        } else if let Some(details) = &mut self.details {
            details.others.remove(token);
        }
    }

    /// Whether a token watches this very path.
    pub(super) fn is_watched(&self) -> bool {
        self.first != NO_TOKEN || self.details.as_ref().is_some_and(|details| !details.others.is_empty())
    }

    fn is_first(&self, token: u32) -> bool {
        token != NO_TOKEN && self.first == token
    }

    /// All tokens that are concerned by an event of this very name.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        let first = (self.first != NO_TOKEN).then_some(self.first);
        let others = self.details.as_deref().into_iter().flat_map(|details| details.others.iter());
        first.into_iter().chain(others).chain(self.tokens_behind())
    }

    /// Those of them that are also concerned by an event of its target, if it is a link. A token that watches the very path is
    /// concerned by the link itself only.
    pub(super) fn tokens_behind(&self) -> impl Iterator<Item = u32> {
        let details = self.details.as_deref();
        details.into_iter().flat_map(|details| details.entries.iter().chain(details.trees.iter()))
    }
}

impl NodeDetails {
    /// Whether a token watches what is in it.
    pub(super) fn has_tokens(&self) -> bool {
        !self.entries.is_empty() || !self.trees.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<WatchNode>() <= 32, "{}", size_of::<WatchNode>());
    }

    #[test]
    fn a_path_has_any_number_of_tokens() {
        let check = |held: &[u32], released: &[u32], expected: &[u32]| {
            let mut point = WatchNode::new(TOP, OsStr::new("x").into());
            held.iter().for_each(|token| point.add_token(*token));
            released.iter().for_each(|token| point.remove_token(*token));
            let mut tokens: Vec<u32> = point.tokens().collect();
            tokens.sort_unstable();
            assert_eq!(tokens, expected, "{held:?} without {released:?}");
            assert_eq!(point.is_watched(), !expected.is_empty());
        };
        check(&[], &[1], &[]);
        check(&[0], &[], &[0]);
        check(&[1, 1], &[1], &[]);
        check(&[1, 2, 3], &[], &[1, 2, 3]);
        check(&[1, 2], &[1], &[2]);
        check(&[1, 2], &[2], &[1]);
        check(&[NO_TOKEN, 1, NO_TOKEN], &[], &[1, NO_TOKEN]);
        check(&[NO_TOKEN], &[NO_TOKEN], &[]);
        let mut point = WatchNode::new(TOP, OsStr::new("x").into());
        [1, 2].into_iter().for_each(|token| point.add_token(token));
        point.remove_token(1);
        point.add_token(2);
        assert_eq!(point.tokens().collect::<Vec<_>>(), [2], "no token is reported twice");
    }
}
