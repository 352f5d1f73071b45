//! A tree of nodes.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::SystemTime;

use super::node::{Body, Inode, Node, Owner};
use super::node::{Directory, Name};

/// The number of the root directory.
pub(crate) const ROOT: Inode = 2;

/// A tree of nodes. A clone shares all of them, so that a snapshot copies no content.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(super) nodes: BTreeMap<Inode, Arc<Node>>,
    /// Nodes of the base machine that may have other names there, by device and inode.
    pub(super) identities: HashMap<(u64, u64), Inode>,
    /// The device number of new nodes.
    pub(super) device: u64,
    next: Inode,
}

/// A node with everything below it, as of some moment.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    top: Inode,
    nodes: Vec<(Inode, Arc<Node>)>,
}

impl Tree {
    /// A tree with an empty root directory.
    pub(crate) fn new(device: u64, now: SystemTime) -> Self {
        let root = Node::new(Body::Directory(Directory::default()), 0o755, Owner { uid: 0, gid: 0 }, now);
        Self::rooted(device, root)
    }

    /// A tree with this root directory.
    pub(crate) fn rooted(device: u64, root: Node) -> Self {
        let nodes = BTreeMap::from([(ROOT, Arc::new(Node { links: 1, ..root }))]);
        Self { nodes, identities: HashMap::new(), device, next: ROOT + 1 }
    }

    pub(crate) fn get(&self, inode: Inode) -> &Node {
        self.nodes.get(&inode).expect("a name never outlives its node")
    }

    pub(crate) fn get_mut(&mut self, inode: Inode) -> &mut Node {
        Arc::make_mut(self.nodes.get_mut(&inode).expect("a name never outlives its node"))
    }

    /// Whether the node still exists.
    pub(crate) fn contains(&self, inode: Inode) -> bool {
        self.nodes.contains_key(&inode)
    }

    fn directory_mut(&mut self, parent: Inode) -> &mut Directory {
        match &mut self.get_mut(parent).body {
            Body::Directory(directory) => directory,
            _ => unreachable!("only directories are walked into"),
        }
    }

    /// The known child `name` of the directory `parent`.
    fn child(&self, parent: Inode, name: &OsStr) -> Option<Inode> {
        match self.get(parent).directory()?.get(name) {
            Name::Taken(inode) => Some(inode),
            Name::Free | Name::Unknown(_) => None,
        }
    }

    /// Adds a node without a name.
    pub(super) fn add(&mut self, node: Node) -> Inode {
        let inode = self.next;
        self.next += 1;
        self.nodes.insert(inode, Arc::new(node));
        inode
    }

    /// Adds a node with its first name. Replaces an existing entry.
    pub(crate) fn insert(&mut self, parent: Inode, name: &OsStr, node: Node, now: SystemTime) -> Inode {
        let inode = self.add(node);
        self.link(parent, name, inode, now);
        inode
    }

    /// Adds another name of a node. Replaces an existing entry.
    pub(crate) fn link(&mut self, parent: Inode, name: &OsStr, inode: Inode, now: SystemTime) {
        // Counted first, so that replacing a file by itself does not remove it.
        self.get_mut(inode).links += 1;
        self.unlink(parent, name, now);
        let is_directory = self.get(inode).is_directory();
        self.directory_mut(parent).put(name, inode, is_directory);
        self.get_mut(parent).modified = now;
    }

    /// Removes a name. The last one removes the node, with everything below. Costs a step for each removed node.
    pub(crate) fn unlink(&mut self, parent: Inode, name: &OsStr, now: SystemTime) {
        let Some(inode) = self.child(parent, name) else { return };
        let is_directory = self.get(inode).is_directory();
        self.directory_mut(parent).take(name, is_directory);
        self.get_mut(parent).modified = now;
        let mut gone = vec![inode];
        while let Some(inode) = gone.pop() {
            let node = self.get_mut(inode);
            node.links -= 1;
            if node.links == 0 && node.other_links == 0 {
                let children = node.directory().into_iter().flat_map(Directory::children);
                gone.extend(children.map(|(_, child)| child));
                let identity = node.identity;
                self.nodes.remove(&inode);
                identity.and_then(|identity| self.identities.remove(&identity));
            }
        }
    }

    /// A node with everything below it. Costs a pointer for each node.
    pub(crate) fn image(&self, inode: Inode) -> Image {
        let mut nodes = Vec::new();
        let mut ahead = vec![inode];
        while let Some(inode) = ahead.pop() {
            if let Some(node) = self.nodes.get(&inode) {
                nodes.push((inode, Arc::clone(node)));
                ahead.extend(self.children(inode));
            }
        }
        Image { top: inode, nodes }
    }

    fn children(&self, inode: Inode) -> impl Iterator<Item = Inode> {
        self.get(inode).directory().into_iter().flat_map(Directory::children).map(|(_, child)| child)
    }

    /// Restores an image at `name`, with its original inodes. Costs a walk over the whole tree.
    pub(crate) fn put_back(&mut self, parent: Inode, name: &OsStr, image: &Image) {
        self.nodes.extend(image.nodes.iter().cloned());
        if let Some(old) = self.child(parent, name) {
            let is_directory = self.get(old).is_directory();
            self.directory_mut(parent).take(name, is_directory);
        }
        let is_directory = self.get(image.top).is_directory();
        self.directory_mut(parent).put(name, image.top, is_directory);
        self.recount();
    }

    /// Counts all names again, and removes nodes without one.
    fn recount(&mut self) {
        let mut names = BTreeMap::from([(ROOT, 1)]);
        let mut ahead = vec![ROOT];
        while let Some(inode) = ahead.pop() {
            for child in self.children(inode) {
                let count = names.entry(child).or_insert(0);
                *count += 1;
                if *count == 1 {
                    ahead.push(child);
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
