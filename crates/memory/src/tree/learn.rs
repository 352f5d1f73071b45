//! Names that are learned from the base machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use uphold_resource::{Entry, EntryKind};

use super::node::{Body, Content, Inode, Node, Owner};
use super::node::{Directory, Name};
use super::nodes::Tree;

/// A name that only the base machine knows.
#[derive(Debug)]
pub(crate) struct Unknown {
    pub(super) parent: Inode,
    pub(super) name: OsString,
    /// Its path on the base machine, without links.
    pub(crate) path: PathBuf,
}

impl Tree {
    /// A tree over the machine whose root directory is `root`.
    pub(crate) fn over(device: u64, root: &Entry) -> Self {
        Self::rooted(device, node(Path::new("/"), root))
    }

    /// Remembers the entry of a name on the base machine. A change or an earlier entry takes precedence.
    pub(crate) fn learn(&mut self, unknown: &Unknown, entry: Option<&Entry>) {
        let Unknown { parent, name, path } = unknown;
        let directory = self.nodes.get(parent).and_then(|node| node.directory());
        if !directory.is_some_and(|directory| matches!(directory.get(name), Name::Unknown(_))) {
            return;
        }
        let inode = entry.map(|entry| self.node_of(path, entry));
        if let Body::Directory(directory) = &mut self.get_mut(*parent).body {
            directory.learn(name, inode);
        }
    }

    /// The node of the entry of the base machine at `path`. A known file with another hard link is the same node.
    fn node_of(&mut self, path: &Path, entry: &Entry) -> Inode {
        let inode = match self.known(entry) {
            Some(inode) => {
                let node = self.get_mut(inode);
                node.other_links = node.other_links.saturating_sub(1);
                inode
            }
            None => self.add(node(path, entry)),
        };
        if has_other_links(entry) {
            self.identities.insert(entry.identity, inode);
        }
        self.get_mut(inode).links += 1;
        inode
    }

    /// The node of an entry of the base machine, if another hard link of it is known.
    pub(crate) fn known(&self, entry: &Entry) -> Option<Inode> {
        self.identities.get(&entry.identity).copied().filter(|_| has_other_links(entry))
    }
}

/// Whether it may have other hard links. A directory has none, whatever its count is.
fn has_other_links(entry: &Entry) -> bool {
    entry.links > 1 && entry.kind != EntryKind::Directory
}

/// A nameless node for the entry of the base machine at `path`.
fn node(path: &Path, entry: &Entry) -> Node {
    let body = match &entry.kind {
        EntryKind::File => Body::File(Content::Below { path: path.into(), size: entry.size }),
        EntryKind::Directory => Body::Directory(Directory::of(path, entry)),
        EntryKind::Link(target) => Body::Link(target.clone()),
        EntryKind::Other(words) => Body::Other(words),
    };
    let owner = Owner { uid: entry.uid, gid: entry.gid };
    let other_links = if has_other_links(entry) { entry.links - 1 } else { 0 };
    Node { other_links, identity: Some(entry.identity), ..Node::new(body, entry.mode, owner, entry.modified) }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::tree::{ROOT, Stop};

    fn entry(kind: EntryKind, links: u64, inode: u64) -> Entry {
        let (modified, changed) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH);
        Entry { kind, mode: 0o755, uid: 0, gid: 0, size: 0, links, identity: (1, inode), modified, changed }
    }

    fn tree() -> Tree {
        Tree::over(9, &entry(EntryKind::Directory, 2, 2))
    }

    fn unknown(tree: &Tree, path: &str) -> Unknown {
        match tree.locate(Path::new(path), 0) {
            Err(Stop::Unknown(unknown)) => unknown,
            other => panic!("{path} is known: {:?}", other.map(|location| location.old)),
        }
    }

    fn names(tree: &Tree, path: &str) -> u64 {
        tree.entry(tree.find(Path::new(path)).expect("it exists")).links
    }

    #[test]
    fn a_change_takes_precedence() {
        let mut tree = tree();
        let late = unknown(&tree, "/x");
        assert_eq!(late.path, Path::new("/x"));
        tree.learn(&late, None);
        let own = Node::new(Body::Link("y".into()), 0o777, Owner { uid: 0, gid: 0 }, SystemTime::UNIX_EPOCH);
        tree.insert(ROOT, "x".as_ref(), own, SystemTime::UNIX_EPOCH);
        tree.learn(&late, Some(&entry(EntryKind::File, 1, 3)));
        assert_eq!(tree.entry(tree.find(Path::new("/x")).expect("it exists")).identity.0, 9);
        tree.unlink(ROOT, "x".as_ref(), SystemTime::UNIX_EPOCH);
        tree.learn(&late, Some(&entry(EntryKind::File, 1, 3)));
        assert!(matches!(tree.find(Path::new("/x")), Err(Stop::Missing)));
    }

    #[test]
    fn ignores_entries_of_a_removed_directory() {
        let mut tree = tree();
        tree.learn(&unknown(&tree, "/d"), Some(&entry(EntryKind::Directory, 2, 3)));
        let late = unknown(&tree, "/d/x");
        tree.unlink(ROOT, "d".as_ref(), SystemTime::UNIX_EPOCH);
        tree.learn(&late, Some(&entry(EntryKind::File, 1, 4)));
        assert!(matches!(tree.find(Path::new("/d/x")), Err(Stop::Missing)));
    }

    /// Some file systems count hard links wrongly; a node must outlive all of its names all the same.
    #[test]
    fn hard_links_of_the_base_machine_are_one_file() {
        let mut tree = tree();
        for name in ["/a", "/b", "/c"] {
            let unknown = unknown(&tree, name);
            tree.learn(&unknown, Some(&entry(EntryKind::File, 2, 3)));
        }
        assert_eq!(names(&tree, "/a"), 3);
        for (name, left) in [("a", 2), ("b", 1)] {
            tree.unlink(ROOT, name.as_ref(), SystemTime::UNIX_EPOCH);
            assert_eq!(names(&tree, "/c"), left);
        }
        tree.unlink(ROOT, "c".as_ref(), SystemTime::UNIX_EPOCH);
        assert!(tree.known(&entry(EntryKind::File, 2, 3)).is_none());
    }
}
