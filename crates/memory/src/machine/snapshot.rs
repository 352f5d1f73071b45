//! The state of a machine at one moment, and differences of two states.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::state::World;
use crate::tree::{Body, Directory, Inode, Node, ROOT};

/// The state of a machine at one moment. Cheap: it shares all content with the machine.
///
/// Two snapshots are equal if they have the same paths with the same content, owner, mode and attributes, the same hard links,
/// accounts and units. Times and inode numbers are not compared.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) world: World,
}

impl Snapshot {
    /// The differences to `later`, one line each: `- ` for this snapshot, `+ ` for the later one.
    pub fn diff(&self, later: &Snapshot) -> Vec<String> {
        let (here, there) = (self.lines(), later.lines());
        let mut keys: Vec<_> = here.keys().chain(there.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut diff = Vec::new();
        for key in keys.into_iter().filter(|key| here.get(*key) != there.get(*key)) {
            diff.extend(here.get(key).map(|line| format!("- {key} {line}")));
            diff.extend(there.get(key).map(|line| format!("+ {key} {line}")));
        }
        diff
    }

    /// The paths that differ from `later`, sorted.
    pub fn changed_paths(&self, later: &Snapshot) -> Vec<PathBuf> {
        let (here, there) = (self.described(), later.described());
        let mut paths: Vec<_> = here.keys().chain(there.keys()).cloned().collect();
        paths.sort_unstable();
        paths.dedup();
        paths.retain(|path| here.get(path) != there.get(path));
        paths
    }

    /// The content of the regular file at `path`.
    pub fn content(&self, path: &Path) -> Option<&[u8]> {
        self.world.tree.get(self.world.tree.find(path).ok()?).bytes()
    }

    /// A description of the entry at `path` in one line; `None` if it does not exist.
    pub fn describe(&self, path: &Path) -> Option<String> {
        let inode = self.world.tree.find(path).ok()?;
        Some(line(self.world.tree.get(inode)))
    }

    fn lines(&self) -> BTreeMap<String, String> {
        let paths = self.described().into_iter().map(|(path, line)| (path.display().to_string(), line));
        let users = self.world.users.iter().map(|(name, user)| (format!("user {name}"), format!("{user:?}")));
        let groups =
            self.world.groups.iter().map(|(name, group)| (format!("group {name}"), format!("{group:?}")));
        let units = self.world.units.iter().map(|(name, unit)| (format!("unit {name}"), format!("{unit:?}")));
        paths.chain(users).chain(groups).chain(units).collect()
    }

    /// Every path with its description; further hard links of a file refer to the first.
    fn described(&self) -> BTreeMap<PathBuf, String> {
        let mut first: BTreeMap<Inode, PathBuf> = BTreeMap::new();
        let describe = |(path, inode): (PathBuf, Inode)| {
            let node = self.world.tree.get(inode);
            let line = match first.get(&inode) {
                Some(other) => format!("the same file as {}", other.display()),
                None => line(node),
            };
            first.entry(inode).or_insert_with(|| path.clone());
            (path, line)
        };
        self.paths().into_iter().map(describe).collect()
    }

    /// Every path with its inode, sorted.
    fn paths(&self) -> BTreeMap<PathBuf, Inode> {
        let mut paths = BTreeMap::new();
        let mut ahead = vec![(PathBuf::from("/"), ROOT)];
        while let Some((path, inode)) = ahead.pop() {
            let children = self.world.tree.get(inode).directory().into_iter().flat_map(Directory::children);
            ahead.extend(children.map(|(name, child)| (path.join(name), child)));
            paths.insert(path, inode);
        }
        paths
    }
}

fn line(node: &Node) -> String {
    let mut line = format!("{} {:04o} {}:{}", node.words(), node.mode, node.uid, node.gid);
    if let Some(content) = node.bytes() {
        line += &format!(" {:?}", String::from_utf8_lossy(content));
    }
    if let Body::Link(target) = &node.body {
        line += &format!(" -> {}", target.display());
    }
    for (name, value) in &node.attributes {
        line += &format!(" {name}={:?}", String::from_utf8_lossy(value));
    }
    line
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.lines() == other.lines()
    }
}

/// One line for each path, account and unit.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|(key, line)| writeln!(f, "{key} {line}"))
    }
}
