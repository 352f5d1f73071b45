//! Everything that is visible through an interface.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use uphold_resource::{Entry, EntryKind, ErrorKind, Files};

/// A line for each entry: type, mode, owner, size, content, and which names are hard links. Sizes of directories depend on the
/// file system. The number of hard links is included only if `counted`.
pub(crate) fn view(files: &dyn Files, counted: bool) -> String {
    let mut seen = String::new();
    let mut first: BTreeMap<(u64, u64), PathBuf> = BTreeMap::new();
    for (path, entry) in walk(files) {
        let same = first.entry(entry.identity).or_insert_with(|| path.clone());
        let is_directory = entry.kind == EntryKind::Directory;
        let links = if counted || is_directory { entry.links } else { 0 };
        let size = if is_directory { 0 } else { entry.size };
        let Entry { kind, mode, uid, gid, .. } = &entry;
        let content = content(files, &path, entry.size);
        writeln!(
            seen,
            "{} {kind:?} {mode:o} {uid}:{gid} {size} {links} {content:?} = {}",
            path.display(),
            same.display()
        )
        .expect("text grows");
    }
    seen
}

/// Each entry with times and identities.
pub(crate) fn walk(files: &dyn Files) -> BTreeMap<PathBuf, Entry> {
    let mut found = BTreeMap::new();
    let mut ahead = vec![PathBuf::from("/")];
    while let Some(path) = ahead.pop() {
        let entry = files.look(&path).expect("it can be read").expect("it is listed");
        if entry.kind == EntryKind::Directory {
            ahead.extend(files.list(&path).expect("it is a directory").iter().map(|name| path.join(name)));
        }
        found.insert(path, entry);
    }
    found
}

/// The results of all queries of one path.
pub(crate) fn answers(files: &dyn Files, path: &Path) -> String {
    let look =
        files.look(path).map(|entry| entry.map(|entry| (entry.kind, entry.mode, entry.uid, entry.gid)));
    let list = files.list(path).map_err(|error| error.kind());
    format!("{:?} {list:?} {:?}", look.map_err(|error| error.kind()), content(files, path, 0))
}

fn content(files: &dyn Files, path: &Path, size: u64) -> Result<String, ErrorKind> {
    let content = files.read(path, size).map_err(|error| error.kind())?;
    Ok(String::from_utf8_lossy(&content).into_owned())
}
