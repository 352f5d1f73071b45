//! What is in an archive, as a tree in memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use uphold_resource::{Error, ErrorKind, Result};

use super::budget::Budget;

/// How deep directories may lie in each other. The tree is dropped recursively.
const DEEPEST: usize = 64;

/// A name in an archive stands for one of these.
pub(crate) enum Node {
    /// A regular file. Hard links share what is in it.
    File(Arc<[u8]>),
    /// A directory.
    Directory(BTreeMap<String, Node>),
    /// Anything else, such as "a link", which is not read.
    Other(&'static str),
}

/// All that is in an archive. Every name is plain: no `..`, nothing absolute.
pub(crate) struct Contents {
    root: BTreeMap<String, Node>,
}

impl Contents {
    pub(super) fn new() -> Self {
        Self { root: BTreeMap::new() }
    }

    /// Adds an entry and the directories on the way to it. Of two files of one name the later one counts,
    /// as if both were unpacked. Names that are not UTF-8 cannot be asked for, and are left out.
    ///
    /// # Errors
    /// A name that leads out of the archive or lies too deep; a file where another entry needs a directory.
    pub(super) fn add(&mut self, path: &[u8], node: Node, budget: &mut Budget) -> Result<()> {
        budget.count()?;
        let Ok(path) = str::from_utf8(path) else { return Ok(()) };
        let names = plain_names(path)?;
        let Some((last, parents)) = names.split_last() else { return Ok(()) };
        let mut directory = &mut self.root;
        for name in parents {
            directory = match directory.entry((*name).to_owned()) {
                Entry::Occupied(there) => there.into_mut(),
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

    /// The file of exactly this name, for a hard link to it.
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

    /// What is at this path; nothing means the top. What is not at the top is looked for in the only
    /// directory there, as archives of a whole repository have one.
    pub(crate) fn find(&self, path: &[String]) -> Option<Found<'_>> {
        let only = match self.root.values().next() {
            Some(Node::Directory(only)) if self.root.len() == 1 => Some(only),
            _ => None,
        };
        match (path, only) {
            ([], only) => Some(Found::Directory(only.unwrap_or(&self.root))),
            (path, only) => walk(&self.root, path).or_else(|| walk(only?, path)),
        }
    }
}

/// What was found in an archive.
pub(crate) enum Found<'a> {
    /// A regular file.
    File(&'a [u8]),
    /// A directory.
    Directory(&'a BTreeMap<String, Node>),
    /// Anything else.
    Other(&'static str),
}

fn walk<'a>(root: &'a BTreeMap<String, Node>, path: &[String]) -> Option<Found<'a>> {
    path.iter().try_fold(Found::Directory(root), |found, name| match found {
        Found::Directory(directory) => directory.get(name).map(Node::found),
        _ => None,
    })
}

impl Node {
    fn found(&self) -> Found<'_> {
        match self {
            Node::File(content) => Found::File(content),
            Node::Directory(names) => Found::Directory(names),
            Node::Other(words) => Found::Other(words),
        }
    }

    fn directory(&mut self) -> Option<&mut BTreeMap<String, Node>> {
        match self {
            Node::Directory(names) => Some(names),
            _ => None,
        }
    }
}

/// The names that `path` goes through.
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
        return Err(refuse("lies too deep"));
    }
    Ok(names)
}

fn both(path: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("it holds both a file and a directory on the way to {path:.200}"))
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
            Found::File(content) => String::from_utf8_lossy(content).into_owned(),
            Found::Directory(names) => names.keys().cloned().collect::<Vec<_>>().join(" "),
            Found::Other(words) => words.to_owned(),
        })
    }

    #[test]
    fn lookups() {
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
    fn names_that_do_harm_are_refused() {
        let deep = "d/".repeat(65);
        let check = |paths: &[&str], expected: &str| {
            let error = contents(paths).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some(expected), "{paths:?}");
        };
        check(&["/etc/passwd"], "its entry /etc/passwd has an absolute name");
        check(&["a/../../b"], "its entry a/../../b leads out of it");
        check(&[".."], "its entry .. leads out of it");
        check(&[&deep], &format!("its entry {deep} lies too deep"));
        check(&["a", "a/b"], "it holds both a file and a directory on the way to a/b");
        check(&["a/b", "a"], "it holds both a file and a directory on the way to a");
    }

    /// Directories that are only mentioned on the way count, too.
    #[test]
    fn directories_on_the_way_count() {
        let (mut contents, mut budget) = (Contents::new(), Budget::new());
        let add = |i: usize| {
            let path = format!("{i}/{}a", "d/".repeat(60));
            contents.add(path.as_bytes(), Node::File(Arc::default()), &mut budget)
        };
        assert_eq!((0..10_000).map(add).take_while(Result::is_ok).count(), 161);
    }
}
