//! The entries of an archive, checked for safety.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Property, Result, Size};

use super::selection::Selection;
use uphold_kit::archives::{ArchiveEntry, ArchiveEntryKind};

/// The modes used for archives without permissions.
const FILE: u32 = 0o644;
const DIRECTORY: u32 = 0o755;

/// Permission bits. Set-id and sticky bits of an archive are dropped.
const PERMISSIONS: u32 = 0o777;

/// Limits of the size of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Property)]
pub struct Limits {
    /// Maximum total size of the unpacked files. A larger archive is refused.
    #[default("8GiB")]
    pub max_size: Size,
    /// Maximum number of entries.
    #[default(200_000)]
    pub max_entries: u64,
}

/// An entry to unpack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The path relative to the directory.
    pub(crate) path: PathBuf,
    pub(crate) body: Body,
    pub(crate) mode: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    File {
        size: u64,
    },
    Directory,
    Link(PathBuf),
    /// A hard link to this file, relative to the directory.
    HardLink(PathBuf),
}

/// The entries admitted so far.
pub(crate) struct Manifest<'a> {
    selection: &'a Selection,
    limits: Limits,
    /// Whether symbolic links may point outside the directory.
    outside_links: bool,
    known: HashMap<PathBuf, Known>,
    bytes: u64,
    entries: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    File,
    Directory,
    Link,
}

impl<'a> Manifest<'a> {
    pub(crate) fn new(selection: &'a Selection, limits: Limits, outside_links: bool) -> Self {
        Self { selection, limits, outside_links, known: HashMap::new(), bytes: 0, entries: 0 }
    }

    /// Whether the archive has an entry at `path`, or below it.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.known.contains_key(path)
    }

    /// Whether `path` is a directory of the archive.
    pub(crate) fn is_directory(&self, path: &Path) -> bool {
        self.known.get(path) == Some(&Known::Directory)
    }

    /// All paths, parents before their children.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = self.known.keys().map(PathBuf::as_path).collect();
        paths.sort_unstable();
        paths
    }

    /// The next entry to unpack; none if it is excluded.
    ///
    /// # Errors
    /// If it is unsafe: it leads outside the directory or through a link, is a device, or exceeds a limit.
    pub(crate) fn admit(&mut self, item: &ArchiveEntry) -> Result<Option<Entry>> {
        self.count(item)?;
        let Some(path) = self.selection.place(&item.name)? else { return Ok(None) };
        self.bytes =
            self.bytes.saturating_add(if item.kind == ArchiveEntryKind::File { item.size } else { 0 });
        if self.bytes > self.limits.max_size.0 {
            let what = format!("its content is larger than `max_size`, {} bytes", self.limits.max_size.0);
            return Err(Error::new(ErrorKind::Denied, what).hint("raise `max_size` if you trust the archive"));
        }
        let (body, known) = self.body(&path, item)?;
        self.add_parents(&path)?;
        match self.known.insert(path.clone(), known) {
            Some(old) if (old == Known::Directory) != (known == Known::Directory) => Err(both(&path)),
            _ => {
                let usual = if known == Known::Directory { DIRECTORY } else { FILE };
                let mode = item.mode.map_or(usual, |mode| mode & PERMISSIONS);
                Ok(Some(Entry { path, body, mode }))
            }
        }
    }

    fn count(&mut self, item: &ArchiveEntry) -> Result<()> {
        self.entries += 1;
        if self.entries <= self.limits.max_entries {
            return Ok(());
        }
        let name = String::from_utf8_lossy(&item.name).into_owned();
        let what = format!(
            "it has more entries than `max_entries`, {}; the first beyond is {name:.100}",
            self.limits.max_entries
        );
        Err(Error::new(ErrorKind::Denied, what).hint("raise `max_entries` if you trust the archive"))
    }

    fn body(&self, path: &Path, item: &ArchiveEntry) -> Result<(Body, Known)> {
        match &item.kind {
            ArchiveEntryKind::File => Ok((Body::File { size: item.size }, Known::File)),
            ArchiveEntryKind::Directory => Ok((Body::Directory, Known::Directory)),
            ArchiveEntryKind::Link(target) if self.outside_links || stays_inside(path, target) => {
                Ok((Body::Link(target.clone()), Known::Link))
            }
            ArchiveEntryKind::Link(target) => {
                let what = format!(
                    "its link {} points outside the directory, to {}",
                    path.display(),
                    target.display()
                );
                Err(Error::new(ErrorKind::Denied, what)
                    .hint("skip it with `exclude`, or set `outside_links = true` if you trust the archive"))
            }
            ArchiveEntryKind::HardLink(name) => {
                let target = self.selection.place(name)?;
                let target = target.filter(|target| self.known.get(target) == Some(&Known::File));
                let target = target.ok_or_else(|| no_target(path, name))?;
                Ok((Body::HardLink(target), Known::File))
            }
            ArchiveEntryKind::Other(words) => {
                let what = format!("its entry {} is {words}", path.display());
                Err(Error::new(ErrorKind::Denied, what).hint("skip it with `exclude`"))
            }
        }
    }

    /// Records all parents of `path` as directories. Entries below a symbolic link are refused.
    fn add_parents(&mut self, path: &Path) -> Result<()> {
        for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
            match self.known.get(above) {
                // Its own parents were checked when it was recorded.
                Some(Known::Directory) => return Ok(()),
                Some(_) => return Err(both(above)),
                None => self.known.insert(above.to_owned(), Known::Directory),
            };
        }
        Ok(())
    }
}

/// Whether a link at `path` points below the directory even if other entries are links: it may go up first, at most
/// to the directory, and then only down.
fn stays_inside(path: &Path, target: &Path) -> bool {
    let depth = path.components().count() - 1;
    let mut ups = 0;
    let mut down = false;
    for component in target.components() {
        match component {
            Component::ParentDir if down => return false,
            Component::ParentDir => ups += 1,
            Component::Normal(_) => down = true,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    ups <= depth && !target.as_os_str().is_empty()
}

fn both(path: &Path) -> Error {
    let what = format!("it has both a directory and another entry at {}", path.display());
    Error::new(ErrorKind::Denied, what).hint("nothing was unpacked: do not trust this archive")
}

fn no_target(path: &Path, name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name).into_owned();
    let what = format!(
        "its entry {} is a hard link to {name:.200}, which is not an earlier file of the archive",
        path.display()
    );
    Error::new(ErrorKind::Denied, what).hint("include or exclude both entries")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, kind: ArchiveEntryKind) -> ArchiveEntry {
        ArchiveEntry { name: name.as_bytes().to_vec(), kind, mode: Some(0o6755), size: 10 }
    }

    fn admit(items: &[(&str, ArchiveEntryKind)]) -> Result<Vec<Entry>> {
        let selection = Selection { strip_components: 0, include: Vec::new(), exclude: Vec::new() };
        let limits = Limits { max_size: Size(35), max_entries: 5 };
        let mut manifest = Manifest::new(&selection, limits, false);
        let entries = items.iter().map(|(name, kind)| manifest.admit(&item(name, kind.clone())));
        entries.filter_map(Result::transpose).collect()
    }

    fn link(to: &str) -> ArchiveEntryKind {
        ArchiveEntryKind::Link(to.into())
    }

    fn hard(to: &str) -> ArchiveEntryKind {
        ArchiveEntryKind::HardLink(to.as_bytes().to_vec())
    }

    #[test]
    fn admits_safe_entries() {
        let check = |items: &[(&str, ArchiveEntryKind)], count: usize| {
            assert_eq!(admit(items).expect("harmless").len(), count, "{items:?}");
        };
        check(
            &[
                ("a/b", ArchiveEntryKind::File),
                ("a", ArchiveEntryKind::Directory),
                ("a", ArchiveEntryKind::Directory),
            ],
            3,
        );
        check(&[("a", ArchiveEntryKind::File), ("a", ArchiveEntryKind::File), ("a", link("b"))], 3);
        check(&[("a/l", link("../b")), ("l", link("a/b/c")), ("m", link("."))], 3);
        check(&[("a", ArchiveEntryKind::File), ("b", hard("a")), ("c", hard("./b"))], 3);
        assert_eq!(admit(&[("a", ArchiveEntryKind::File)]).expect("harmless")[0].mode, 0o755);
    }

    #[test]
    fn refuses_unsafe_entries() {
        let check = |items: &[(&str, ArchiveEntryKind)]| {
            assert_eq!(admit(items).expect_err("unsafe").kind(), ErrorKind::Denied, "{items:?}");
        };
        check(&[("a", link("b")), ("a/b", ArchiveEntryKind::File)]);
        check(&[("a", link("b")), ("a/b/c", ArchiveEntryKind::File)]);
        check(&[("a", ArchiveEntryKind::File), ("a/b", ArchiveEntryKind::File)]);
        check(&[("a/b", ArchiveEntryKind::File), ("a", link("b"))]);
        check(&[("a", ArchiveEntryKind::Directory), ("a", link("b"))]);
        check(&[("a", link("/etc"))]);
        check(&[("a", link(".."))]);
        check(&[("a/b", link("../.."))]);
        check(&[("l", link(".")), ("m", link("l/l/../.."))]);
        check(&[("a", hard("/etc/passwd"))]);
        check(&[("a", hard("../etc/passwd"))]);
        check(&[("a", hard("b"))]);
        check(&[("b", link("c")), ("a", hard("b"))]);
        check(&[("a", ArchiveEntryKind::Other("a block device"))]);
        check(&[
            ("a", ArchiveEntryKind::File),
            ("b", ArchiveEntryKind::File),
            ("c", ArchiveEntryKind::File),
            ("d", ArchiveEntryKind::File),
        ]);
        check(&["1", "2", "3", "4", "5", "6"].map(|name| (name, ArchiveEntryKind::Directory)));
    }
}
