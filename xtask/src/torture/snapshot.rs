//! A directory tree as a value, so that two can be compared.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::FileType;

use crate::failure::{Failure, Result};

/// Everything that a run can change about one path.
#[derive(Debug, PartialEq, Eq)]
struct Node {
    mode: u32,
    owner: (u32, u32),
    content: Vec<u8>,
}

/// All paths below a directory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Snapshot(BTreeMap<String, Node>);

impl Snapshot {
    pub(crate) fn take(directory: &Path) -> Result<Self> {
        let mut nodes = BTreeMap::new();
        let failed = |error| Failure::new(format!("cannot read `{}`: {error}", directory.display()));
        visit(directory, "", &mut nodes).map_err(failed)?;
        Ok(Self(nodes))
    }

    /// With the lines of one file sorted, so that only the lines and their numbers are compared.
    pub(crate) fn with_sorted_lines(mut self, path: &str) -> Self {
        if let Some(node) = self.0.get_mut(path) {
            let mut lines: Vec<&[u8]> = node.content.split_inclusive(|byte| *byte == b'\n').collect();
            lines.sort_unstable();
            node.content = lines.concat();
        }
        self
    }

    /// Separates the contents of the files that have `part` in their name from the rest.
    pub(crate) fn separate(mut self, part: &str) -> (Self, Vec<Vec<u8>>) {
        let separated = self.0.extract_if(.., |path, _| path.contains(part));
        let contents = separated.map(|(_, node)| node.content).collect();
        (self, contents)
    }

    /// A torn or lost file: neither as `before` nor as `expected`. `free` names files with other valid states.
    pub(crate) fn torn(&self, before: &Self, expected: &Self, free: &[&str]) -> Option<String> {
        let mut paths =
            before.0.iter().filter(|(path, node)| is_file(node) && !free.contains(&path.as_str()));
        paths.find_map(|(path, old)| match (self.0.get(path), expected.0.get(path)) {
            (None, Some(_)) => Some(format!("{path} is lost")),
            (Some(found), Some(new)) if found.content != old.content && found.content != new.content => {
                Some(format!("{path} is torn: {}", shown(found)))
            }
            _ => None,
        })
    }

    /// The first differences to `expected`, in words; none if they are equal.
    pub(crate) fn differs(&self, expected: &Self) -> Option<String> {
        let paths = expected.0.keys().chain(self.0.keys().filter(|path| !expected.0.contains_key(*path)));
        let words: Vec<String> =
            paths.filter_map(|path| self.difference_at(expected, path)).take(3).collect();
        if words.is_empty() { None } else { Some(words.join("; ")) }
    }

    fn difference_at(&self, expected: &Self, path: &str) -> Option<String> {
        match (expected.0.get(path), self.0.get(path)) {
            (Some(_), None) => Some(format!("{path} is missing")),
            (None, Some(_)) => Some(format!("{path} was left behind")),
            (Some(expected), Some(found)) if expected != found => {
                Some(format!("{path} differs: {}", shown(found)))
            }
            _ => None,
        }
    }
}

fn is_file(node: &Node) -> bool {
    FileType::from_raw_mode(node.mode) == FileType::RegularFile
}

fn shown(node: &Node) -> String {
    let content: String = String::from_utf8_lossy(&node.content).chars().take(80).collect();
    format!("mode {:o}, owner {:?}, content {content:?}", node.mode, node.owner)
}

fn visit(directory: &Path, prefix: &str, nodes: &mut BTreeMap<String, Node>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let (path, metadata) = (entry.path(), entry.metadata()?);
        let content = if metadata.is_symlink() {
            fs::read_link(&path)?.into_os_string().into_encoded_bytes()
        } else if metadata.is_file() {
            fs::read(&path)?
        } else {
            Vec::new()
        };
        let node =
            Node { mode: metadata.permissions().mode(), owner: (metadata.uid(), metadata.gid()), content };
        if metadata.is_dir() {
            visit(&path, &format!("{name}/"), nodes)?;
        }
        nodes.insert(name, node);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let node = |content: &str| Node { mode: 0o100_644, owner: (0, 0), content: content.into() };
        Snapshot(files.iter().map(|(path, content)| ((*path).to_owned(), node(content))).collect())
    }

    #[test]
    fn order_of_lines_is_free_but_not_their_number() {
        let check = |found: &str, is_same: bool| {
            let expected = snapshot(&[("lines", "a\nb\n")]);
            let found = snapshot(&[("lines", found)]).with_sorted_lines("lines");
            assert_eq!(found.differs(&expected).is_none(), is_same);
        };
        check("b\na\n", true);
        check("b\na\nb\n", false);
        check("b\na", false);
    }

    #[test]
    fn a_file_is_old_or_new() {
        let check = |found: &[(&str, &str)], expected: Option<&str>| {
            let (old, new) = (snapshot(&[("a", "old"), ("gone", "x")]), snapshot(&[("a", "new")]));
            let torn = snapshot(found).torn(&old, &new, &["free"]);
            assert_eq!(torn.as_deref().map(|torn| &torn[..9]), expected);
        };
        check(&[("a", "old"), ("gone", "x")], None);
        check(&[("a", "new"), ("free", "?")], None);
        check(&[("a", "")], Some("a is torn"));
        check(&[("gone", "x")], Some("a is lost"));
    }

    #[test]
    fn backups_are_compared_on_their_own() {
        let (rest, backups) = snapshot(&[("a", "1"), ("a-backup-1", "0"), ("b", "2")]).separate("-backup-");
        assert_eq!(rest, snapshot(&[("a", "1"), ("b", "2")]));
        assert_eq!(backups, [b"0"]);
    }
}
