//! What an archive unpacks to, and whether it may.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Property, Result, Size};

use super::selection::Selection;
use crate::packing::{Item, Sort};

/// What is given to files and directories of archives that know no permissions.
const FILE: u32 = 0o644;
const DIRECTORY: u32 = 0o755;

/// Permission bits; set-id bits and the like do not come out of an archive.
const PERMISSIONS: u32 = 0o777;

/// How much an archive may unpack to.
#[derive(Clone, Copy, Debug, PartialEq, Property)]
pub struct Limits {
    /// The most that it may unpack to. An archive that claims more is refused.
    #[default("8GiB")]
    pub max_size: Size,
    /// The most entries that it may have.
    #[default(200_000)]
    pub max_entries: u64,
}

/// Something that is to be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where, below the directory.
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
    /// Another name of this file, below the directory.
    HardLink(PathBuf),
}

/// All that was met so far.
pub(crate) struct Manifest<'a> {
    selection: &'a Selection,
    limits: Limits,
    /// Whether links may lead out of the directory.
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

    /// Whether something of the archive is there, or on the way to it.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.known.contains_key(path)
    }

    /// Whether it is a directory.
    pub(crate) fn is_directory(&self, path: &Path) -> bool {
        self.known.get(path) == Some(&Known::Directory)
    }

    /// All paths, each before what is inside.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = self.known.keys().map(PathBuf::as_path).collect();
        paths.sort_unstable();
        paths
    }

    /// The next entry as it is unpacked; none if it is left out.
    ///
    /// # Errors
    /// If it does harm: it leads out of the directory or through a link, is a device, or is too much.
    pub(crate) fn admit(&mut self, item: &Item) -> Result<Option<Entry>> {
        self.count(item)?;
        let Some(path) = self.selection.place(&item.name)? else { return Ok(None) };
        self.bytes = self.bytes.saturating_add(if item.sort == Sort::File { item.size } else { 0 });
        if self.bytes > self.limits.max_size.0 {
            let what = format!("it unpacks to more than {} bytes", self.limits.max_size.0);
            return Err(Error::new(ErrorKind::Denied, what).hint("raise `max_size` if that is right"));
        }
        let (body, known) = self.body(&path, item)?;
        self.lead(&path)?;
        match self.known.insert(path.clone(), known) {
            Some(old) if (old == Known::Directory) != (known == Known::Directory) => Err(both(&path)),
            _ => {
                let usual = if known == Known::Directory { DIRECTORY } else { FILE };
                let mode = item.mode.map_or(usual, |mode| mode & PERMISSIONS);
                Ok(Some(Entry { path, body, mode }))
            }
        }
    }

    fn count(&mut self, item: &Item) -> Result<()> {
        self.entries += 1;
        if self.entries <= self.limits.max_entries {
            return Ok(());
        }
        let name = String::from_utf8_lossy(&item.name).into_owned();
        let what = format!("it has more than {} entries: {name:.100} is one more", self.limits.max_entries);
        Err(Error::new(ErrorKind::Denied, what).hint("raise `max_entries` if that is right"))
    }

    fn body(&self, path: &Path, item: &Item) -> Result<(Body, Known)> {
        match &item.sort {
            Sort::File => Ok((Body::File { size: item.size }, Known::File)),
            Sort::Directory => Ok((Body::Directory, Known::Directory)),
            Sort::Link(target) if self.outside_links || stays_inside(path, target) => {
                Ok((Body::Link(target.clone()), Known::Link))
            }
            Sort::Link(target) => {
                let what = format!("its link {} leads out of it, to {}", path.display(), target.display());
                Err(Error::new(ErrorKind::Denied, what).hint("set `outside_links = true` if that is right"))
            }
            Sort::HardLink(name) => {
                let target = self.selection.place(name)?;
                let target = target.filter(|target| self.known.get(target) == Some(&Known::File));
                let target = target.ok_or_else(|| no_target(path, name))?;
                Ok((Body::HardLink(target), Known::File))
            }
            Sort::Other(words) => {
                let what = format!("its entry {} is {words}", path.display());
                Err(Error::new(ErrorKind::Denied, what).hint("leave it out with `exclude`"))
            }
        }
    }

    /// All that is on the way to `path` is a directory. Links are never gone through.
    fn lead(&mut self, path: &Path) -> Result<()> {
        for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
            match self.known.get(above) {
                // What is above that was looked at when it was met.
                Some(Known::Directory) => return Ok(()),
                Some(_) => return Err(both(above)),
                None => self.known.insert(above.to_owned(), Known::Directory),
            };
        }
        Ok(())
    }
}

/// Whether a link at `path` leads to something below the directory, whatever else is a link there: it may go up
/// first, no farther than the directory, and then only down.
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
    let what = format!("it has something else than a directory on the way to what is in {}", path.display());
    Error::new(ErrorKind::Denied, what).hint("nothing was unpacked: do not trust this archive")
}

fn no_target(path: &Path, name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name).into_owned();
    let what =
        format!("its entry {} is another name of {name:.200}, which is no file before it", path.display());
    Error::new(ErrorKind::Denied, what).hint("leave out both, or none")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, sort: Sort) -> Item {
        Item { name: name.as_bytes().to_vec(), sort, mode: Some(0o6755), size: 10 }
    }

    fn admit(items: &[(&str, Sort)]) -> Result<Vec<Entry>> {
        let selection = Selection { strip_components: 0, include: Vec::new(), exclude: Vec::new() };
        let limits = Limits { max_size: Size(35), max_entries: 5 };
        let mut manifest = Manifest::new(&selection, limits, false);
        let entries = items.iter().map(|(name, sort)| manifest.admit(&item(name, sort.clone())));
        entries.filter_map(Result::transpose).collect()
    }

    fn link(to: &str) -> Sort {
        Sort::Link(to.into())
    }

    fn hard(to: &str) -> Sort {
        Sort::HardLink(to.as_bytes().to_vec())
    }

    #[test]
    fn what_is_harmless_is_taken() {
        let check = |items: &[(&str, Sort)], count: usize| {
            assert_eq!(admit(items).expect("harmless").len(), count, "{items:?}");
        };
        check(&[("a/b", Sort::File), ("a", Sort::Directory), ("a", Sort::Directory)], 3);
        check(&[("a", Sort::File), ("a", Sort::File), ("a", link("b"))], 3);
        check(&[("a/l", link("../b")), ("l", link("a/b/c")), ("m", link("."))], 3);
        check(&[("a", Sort::File), ("b", hard("a")), ("c", hard("./b"))], 3);
        assert_eq!(admit(&[("a", Sort::File)]).expect("harmless")[0].mode, 0o755);
    }

    #[test]
    fn what_does_harm_is_refused() {
        let check = |items: &[(&str, Sort)]| {
            assert_eq!(admit(items).expect_err("it does harm").kind(), ErrorKind::Denied, "{items:?}");
        };
        check(&[("a", link("b")), ("a/b", Sort::File)]);
        check(&[("a", link("b")), ("a/b/c", Sort::File)]);
        check(&[("a", Sort::File), ("a/b", Sort::File)]);
        check(&[("a/b", Sort::File), ("a", link("b"))]);
        check(&[("a", Sort::Directory), ("a", link("b"))]);
        check(&[("a", link("/etc"))]);
        check(&[("a", link(".."))]);
        check(&[("a/b", link("../.."))]);
        check(&[("l", link(".")), ("m", link("l/l/../.."))]);
        check(&[("a", hard("/etc/passwd"))]);
        check(&[("a", hard("../etc/passwd"))]);
        check(&[("a", hard("b"))]);
        check(&[("b", link("c")), ("a", hard("b"))]);
        check(&[("a", Sort::Other("a block device"))]);
        check(&[("a", Sort::File), ("b", Sort::File), ("c", Sort::File), ("d", Sort::File)]);
        check(&["1", "2", "3", "4", "5", "6"].map(|name| (name, Sort::Directory)));
    }
}
