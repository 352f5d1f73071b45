//! A directory tree as a value, so that two can be compared.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

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

    /// Without the paths that have `part` in their name.
    pub(crate) fn without(mut self, part: &str) -> Self {
        self.0.retain(|path, _| !path.contains(part));
        self
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
