//! The content of an archive as a tree in memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use uphold_resource::{Error, ErrorKind, Result};

use super::Budget;

/// The maximum depth of directories. The tree is dropped recursively.
const DEEPEST: usize = 64;

/// An entry of an archive.
pub(crate) enum Node {
    /// A regular file. Hard links share its content.
    File(Arc<[u8]>),
    /// A directory.
    Directory(BTreeMap<String, Node>),
    /// Anything else, such as "a link". Its content is not read.
    Other(&'static str),
}

/// The content of an archive. Every name is plain: no `..`, nothing absolute.
pub(crate) struct Contents {
    root: BTreeMap<String, Node>,
}

impl Contents {
    pub(super) fn new() -> Self {
        Self { root: BTreeMap::new() }
    }

    /// Adds an entry and its parent directories. Of two files of one name the later one counts, as if both were unpacked.
    /// Names that are not UTF-8 cannot be requested, and are left out.
    ///
    /// # Errors
    /// If the name leads out of the archive or is too deep, or if a file is at the place of a directory.
    pub(super) fn add(&mut self, path: &[u8], node: Node, budget: &mut Budget) -> Result<()> {
        budget.count()?;
        let Ok(path) = str::from_utf8(path) else { return Ok(()) };
        let names = plain_names(path)?;
        let Some((last, parents)) = names.split_last() else { return Ok(()) };
        let mut directory = &mut self.root;
        for name in parents {
            directory = match directory.entry((*name).to_owned()) {
                Entry::Occupied(occupied) => occupied.into_mut(),
                Entry::Vacant(free) => {
                    budget.count()?;
                    free.insert(Node::Directory(BTreeMap::new()))
                }
            }
            .directory()
            .ok_or_else(|| both(path))?;
        }
        match (directory.get(*last), &node) {
            (Some(Node::Directory(_)), Node::Directory(_)) => {}
            (Some(Node::Directory(_)), _) | (Some(_), Node::Directory(_)) => return Err(both(path)),
            _ => drop(directory.insert((*last).to_owned(), node)),
        }
        Ok(())
    }

    /// The file with exactly this name, for a hard link to it.
    pub(super) fn file(&self, path: &[u8]) -> Option<Arc<[u8]>> {
        let mut names = plain_names(str::from_utf8(path).ok()?).ok()?.into_iter();
        let top = self.root.get(names.next()?)?;
        let found = names.try_fold(top, |node, name| match node {
            Node::Directory(directory) => directory.get(name),
            _ => None,
        });
        match found? {
            Node::File(content) => Some(Arc::clone(content)),
            _ => None,
        }
    }

    /// The entry at this path; an empty path is the top. An entry that does not exist at the top is searched in the only top
    /// directory, which archives of a whole repository have.
    pub(crate) fn find(&self, path: &[String]) -> Option<FoundEntry<'_>> {
        let only = match self.root.values().next() {
            Some(Node::Directory(only)) if self.root.len() == 1 => Some(only),
            _ => None,
        };
        match (path, only) {
            ([], only) => Some(FoundEntry::Directory(only.unwrap_or(&self.root))),
            (path, only) => walk(&self.root, path).or_else(|| walk(only?, path)),
        }
    }
}

/// An entry that was found in an archive.
pub(crate) enum FoundEntry<'a> {
    /// A regular file.
    File(&'a [u8]),
    /// A directory.
    Directory(&'a BTreeMap<String, Node>),
    /// Anything else.
    Other(&'static str),
}

fn walk<'a>(root: &'a BTreeMap<String, Node>, path: &[String]) -> Option<FoundEntry<'a>> {
    path.iter().try_fold(FoundEntry::Directory(root), |found, name| match found {
        FoundEntry::Directory(directory) => directory.get(name).map(Node::found),
        _ => None,
    })
}

impl Node {
    fn found(&self) -> FoundEntry<'_> {
        match self {
            Node::File(content) => FoundEntry::File(content),
            Node::Directory(names) => FoundEntry::Directory(names),
            Node::Other(words) => FoundEntry::Other(words),
        }
    }

    fn directory(&mut self) -> Option<&mut BTreeMap<String, Node>> {
        match self {
            Node::Directory(names) => Some(names),
            _ => None,
        }
    }
}

/// The components of a path.
fn plain_names(path: &str) -> Result<Vec<&str>> {
    let refuse = |why: &str| Error::new(ErrorKind::Invalid, format!("its entry {path:.200} {why}"));
    if path.starts_with('/') {
        return Err(refuse("has an absolute name"));
    }
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    if names.contains(&"..") {
        return Err(refuse("leads out of it"));
    }
    if names.len() > DEEPEST {
        return Err(refuse("is nested too deeply"));
    }
    Ok(names)
}

fn both(path: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("it contains both a file and a directory at {path:.200} or above"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(paths: &[&str]) -> Result<Contents> {
        let (mut contents, mut budget) = (Contents::new(), Budget::new());
        for path in paths {
            let node = match path.strip_suffix('/') {
                Some(_) => Node::Directory(BTreeMap::new()),
                None => Node::File(path.as_bytes().into()),
            };
            contents.add(path.as_bytes(), node, &mut budget)?;
        }
        Ok(contents)
    }

    fn shown(contents: &Contents, path: &str) -> Option<String> {
        let names: Vec<String> = path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        contents.find(&names).map(|found| match found {
            FoundEntry::File(content) => String::from_utf8_lossy(content).into_owned(),
            FoundEntry::Directory(names) => names.keys().cloned().collect::<Vec<_>>().join(" "),
            FoundEntry::Other(words) => words.to_owned(),
        })
    }

    #[test]
    fn finds_entries() {
        let check = |paths: &[&str], path: &str, expected: Option<&str>| {
            assert_eq!(shown(&contents(paths).unwrap(), path).as_deref(), expected, "{paths:?} {path}");
        };
        check(&["./a", "b/c"], "a", Some("./a"));
        check(&["a", "b/c"], "b/c", Some("b/c"));
        check(&["a", "b/c"], "", Some("a b"));
        check(&["a", "b/c"], "c", None);
        check(&["a", "b/c"], "a/x", None);
        check(&["web-1.0/", "web-1.0/main", "web-1.0/x/y"], "main", Some("web-1.0/main"));
        check(&["web-1.0/main", "web-1.0/x/y"], "web-1.0/x/y", Some("web-1.0/x/y"));
        check(&["web-1.0/main", "web-1.0/x/y"], "", Some("main x"));
        check(&["web-1.0/main", "web-1.0/x/y"], "web-1.0", Some("main x"));
        check(&["web/web/a", "web/b"], "web/b", Some("web/b"));
        check(&[], "", Some(""));
        check(&["b/", "b/c", "b/"], "b/c", Some("b/c"));
    }

    #[test]
    fn refuses_harmful_names() {
        let deep = "d/".repeat(65);
        let check = |paths: &[&str], expected: &str| {
            let error = contents(paths).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some(expected), "{paths:?}");
        };
        check(&["/etc/passwd"], "its entry /etc/passwd has an absolute name");
        check(&["a/../../b"], "its entry a/../../b leads out of it");
        check(&[".."], "its entry .. leads out of it");
        check(&[&deep], &format!("its entry {deep} is nested too deeply"));
        check(&["a", "a/b"], "it contains both a file and a directory at a/b or above");
        check(&["a/b", "a"], "it contains both a file and a directory at a or above");
    }

    /// Parent directories that have no entry of their own count, too.
    #[test]
    fn counts_parent_directories() {
        let (mut contents, mut budget) = (Contents::new(), Budget::new());
        let add = |i: usize| {
            let path = format!("{i}/{}a", "d/".repeat(60));
            contents.add(path.as_bytes(), Node::File(Arc::default()), &mut budget)
        };
        assert_eq!((0..10_000).map(add).take_while(Result::is_ok).count(), 161);
    }
}
