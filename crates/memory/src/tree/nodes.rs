//! A tree of nodes, and changing it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::SystemTime;

use super::node::{Body, Inode, Node, Owner};

/// The root directory's number.
pub(crate) const ROOT: Inode = 2;

/// A tree of nodes. A clone shares them all, so that a snapshot costs no copy of any content.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: BTreeMap<Inode, Arc<Node>>,
    next: Inode,
}

/// A node with all that is below it, as it was at some moment.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    top: Inode,
    nodes: Vec<(Inode, Arc<Node>)>,
}

impl Tree {
    /// An empty root directory.
    pub(crate) fn new(now: SystemTime) -> Self {
        let mut root = Node::new(Body::Directory(BTreeMap::new()), 0o755, Owner { uid: 0, gid: 0 }, now);
        root.links = 1;
        Self { nodes: BTreeMap::from([(ROOT, Arc::new(root))]), next: ROOT + 1 }
    }

    pub(crate) fn get(&self, inode: Inode) -> &Node {
        self.nodes.get(&inode).expect("a name never outlives its node")
    }

    pub(crate) fn get_mut(&mut self, inode: Inode) -> &mut Node {
        Arc::make_mut(self.nodes.get_mut(&inode).expect("a name never outlives its node"))
    }

    /// The number behind `name` in the directory `parent`.
    pub(crate) fn child(&self, parent: Inode, name: &OsStr) -> Option<Inode> {
        self.get(parent).children()?.get(name).copied()
    }

    fn children_mut(&mut self, parent: Inode) -> &mut BTreeMap<OsString, Inode> {
        match &mut self.get_mut(parent).body {
            Body::Directory(children) => children,
            _ => unreachable!("only directories are walked into"),
        }
    }

    /// Gives `node` its first name, in the place of what is there.
    pub(crate) fn insert(&mut self, parent: Inode, name: &OsStr, node: Node, now: SystemTime) -> Inode {
        let inode = self.next;
        self.next += 1;
        self.nodes.insert(inode, Arc::new(node));
        self.link(parent, name, inode, now);
        inode
    }

    /// Gives the node `inode` another name, in the place of what is there.
    pub(crate) fn link(&mut self, parent: Inode, name: &OsStr, inode: Inode, now: SystemTime) {
        // Counted first, so that replacing a file by itself does not lose it.
        self.get_mut(inode).links += 1;
        self.unlink(parent, name, now);
        self.children_mut(parent).insert(name.to_owned(), inode);
        self.get_mut(parent).modified = now;
    }

    /// Takes a name away; the last one takes the node along, with all that is below.
    pub(crate) fn unlink(&mut self, parent: Inode, name: &OsStr, now: SystemTime) {
        let Some(inode) = self.children_mut(parent).remove(name) else { return };
        self.get_mut(parent).modified = now;
        let mut gone = vec![inode];
        while let Some(inode) = gone.pop() {
            let node = self.get_mut(inode);
            node.links -= 1;
            if node.links == 0 {
                gone.extend(node.children().into_iter().flat_map(BTreeMap::values));
                self.nodes.remove(&inode);
            }
        }
    }

    /// `inode` with all that is below. Costs a pointer for each node.
    pub(crate) fn image(&self, inode: Inode) -> Image {
        let mut nodes = Vec::new();
        let mut ahead = vec![inode];
        while let Some(inode) = ahead.pop() {
            if let Some(node) = self.nodes.get(&inode) {
                nodes.push((inode, Arc::clone(node)));
                ahead.extend(node.children().into_iter().flat_map(BTreeMap::values));
            }
        }
        Image { top: inode, nodes }
    }

    /// Puts what was there back to `name`, with the numbers it had. Costs a walk over the whole tree.
    pub(crate) fn put_back(&mut self, parent: Inode, name: &OsStr, image: &Image) {
        self.nodes.extend(image.nodes.iter().cloned());
        self.children_mut(parent).insert(name.to_owned(), image.top);
        self.recount();
    }

    /// Counts all names anew and forgets what has none.
    fn recount(&mut self) {
        let mut names = BTreeMap::from([(ROOT, 1)]);
        let mut ahead = vec![ROOT];
        while let Some(inode) = ahead.pop() {
            for child in self.get(inode).children().into_iter().flat_map(BTreeMap::values) {
                let count = names.entry(*child).or_insert(0);
                *count += 1;
                if *count == 1 {
                    ahead.push(*child);
                }
            }
        }
        self.nodes.retain(|inode, _| names.contains_key(inode));
        for (inode, links) in names {
            if self.get(inode).links != links {
                self.get_mut(inode).links = links;
            }
        }
    }
}
