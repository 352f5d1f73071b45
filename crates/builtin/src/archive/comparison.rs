//! Comparison of a directory with an archive.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use uphold_resource::{Act, Entry as Found, EntryKind, Error, Reading, Result, wrong_type};

use super::extraction::{Differing, Why};
use super::manifest::{Body, Entry, Manifest};
use super::remove_if_empty;
use uphold_kit::archives::broken;

/// The number of bytes compared at once.
const PIECE: usize = 64 * 1024;

/// The ownership and permissions that all entries should have, in place of the archive's own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) uid: Option<u32>,
    pub(crate) gid: Option<u32>,
    pub(crate) file_mode: Option<u32>,
    pub(crate) directory_mode: Option<u32>,
}

impl Expected {
    /// The expected permissions of an entry.
    pub(crate) fn mode(&self, entry: &Entry) -> u32 {
        let own = if entry.body == Body::Directory { self.directory_mode } else { self.file_mode };
        own.unwrap_or(entry.mode)
    }

    fn owns(&self, found: &Found) -> bool {
        self.uid.is_none_or(|uid| uid == found.uid) && self.gid.is_none_or(|gid| gid == found.gid)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    wanted: usize,
    found: usize,
}

impl Tally {
    fn count(&mut self, found: bool) {
        self.wanted += 1;
        self.found += usize::from(found);
    }
}

/// A comparison of a directory with an archive, entry by entry.
pub(crate) struct Comparison<'a> {
    directory: &'a Path,
    expected: Expected,
    host: &'a Reading<'a>,
    /// Subdirectories known to be directories and not symbolic links.
    real: HashSet<PathBuf>,
    pub(crate) differing: Differing,
    /// Counts of expected and existing entries: all of them, and those other than directories. A directory may
    /// exist for other reasons.
    entries: Tally,
    files: Tally,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(directory: &'a Path, expected: Expected, host: &'a Reading<'a>) -> Self {
        let (real, differing) = (HashSet::new(), Differing::default());
        let none = Tally::default();
        Self { directory, expected, host, real, differing, entries: none, files: none }
    }

    /// Whether any part of the archive is unpacked: a file or link, if the archive has any.
    pub(crate) fn is_unpacked(&self) -> bool {
        match (self.files.wanted, self.entries.wanted) {
            (0, 0) => true,
            (0, _) => self.entries.found > 0,
            _ => self.files.found > 0,
        }
    }

    /// Compares one entry.
    ///
    /// # Errors
    /// If something is in the way that must not be replaced: a directory in place of a file, or another type in
    /// place of a directory.
    pub(crate) fn take(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<()> {
        let found = self.look(&entry.path)?;
        self.entries.count(found.is_some());
        if entry.body != Body::Directory {
            self.files.count(found.is_some());
        }
        let why = match found {
            None => Some(Why::Missing),
            Some(found) => self.compare(entry, &found, content)?,
        };
        self.differing.note(&entry.path, why);
        Ok(())
    }

    /// The entry at `path`, unless a parent is missing.
    fn look(&mut self, path: &Path) -> Result<Option<Found>> {
        let parent = path.parent().unwrap_or(Path::new(""));
        if !self.is_real(parent)? {
            return Ok(None);
        }
        self.host.files().look(&self.directory.join(path))
    }

    /// Whether a subdirectory exists. Fails if it is anything other than a directory.
    fn is_real(&mut self, path: &Path) -> Result<bool> {
        let ways: Vec<&Path> = path.ancestors().take_while(|way| !self.real.contains(*way)).collect();
        for way in ways.into_iter().rev() {
            let whole = self.directory.join(way);
            match self.host.files().look(&whole)? {
                None => return Ok(false),
                Some(found) if found.kind == EntryKind::Directory => self.real.insert(way.to_owned()),
                Some(found) => return Err(in_the_way(&whole, &found, "a directory")),
            };
        }
        Ok(true)
    }

    fn compare(&self, entry: &Entry, found: &Found, content: &mut dyn Read) -> Result<Option<Why>> {
        let whole = self.directory.join(&entry.path);
        let same = match (&entry.body, &found.kind) {
            (Body::Directory, EntryKind::Directory) => true,
            (Body::Directory, _) => return Err(in_the_way(&whole, found, "a directory")),
            (_, EntryKind::Directory) => return Err(in_the_way(&whole, found, "a file")),
            (Body::File { size }, EntryKind::File) => {
                found.size == *size && self.has_content(&whole, content)?
            }
            (Body::Link(target), EntryKind::Link(found)) => target == found,
            (Body::HardLink(target), EntryKind::File) => self.is_same_file(target, found)?,
            _ => false,
        };
        Ok(if !same {
            Some(Why::Content)
        } else if !self.has_mode(entry, found) {
            Some(Why::Mode)
        } else if !self.expected.owns(found) {
            Some(Why::Owner)
        } else {
            None
        })
    }

    /// A symbolic link has no mode, and a hard link has that of its target.
    fn has_mode(&self, entry: &Entry, found: &Found) -> bool {
        matches!(entry.body, Body::Link(_) | Body::HardLink(_)) || found.mode == self.expected.mode(entry)
    }

    /// If the target is going to be replaced, an existing hard link refers to the old file.
    fn is_same_file(&self, target: &Path, found: &Found) -> Result<bool> {
        if matches!(self.differing.why(target), Some(Why::Missing | Why::Content)) {
            return Ok(false);
        }
        let other = self.host.files().look(&self.directory.join(target))?;
        Ok(other.is_some_and(|other| other.identity == found.identity))
    }

    fn has_content(&self, path: &Path, content: &mut dyn Read) -> Result<bool> {
        let mut file = self.host.open(path)?;
        let (mut wanted, mut found) = (vec![0; PIECE], vec![0; PIECE]);
        loop {
            let read = fill(content, &mut wanted).map_err(broken)?;
            let there =
                fill(&mut file, &mut found[..read.max(1)]).map_err(|error| Error::io("read", path, error))?;
            if there != read || wanted[..read] != found[..read] {
                return Ok(false);
            }
            if read == 0 {
                return Ok(true);
            }
        }
    }

    /// Removes the entry at `path`, unless a parent is missing; a directory only if it is empty.
    pub(crate) fn remove(&mut self, path: &Path, host: &Act<'_>) -> Result<()> {
        let whole = self.directory.join(path);
        match self.look(path)?.map(|found| found.kind) {
            None => Ok(()),
            Some(EntryKind::Directory) => remove_if_empty(&whole, host),
            Some(_) => host.edits().remove_file(&whole),
        }
    }

    /// Records entries that are not in the archive, outermost first, other than those that another resource
    /// manages.
    pub(crate) fn find_unmanaged(&mut self, manifest: &Manifest<'_>) -> Result<()> {
        let mut ahead = vec![PathBuf::new()];
        while let Some(inside) = ahead.pop() {
            for name in self.host.files().list(&self.directory.join(&inside))? {
                let path = inside.join(name);
                if manifest.is_directory(&path) && self.is_real(&path)? {
                    ahead.push(path);
                } else if !manifest.holds(&path) && !self.host.manages(&self.directory.join(&path)) {
                    let found = self.host.files().look(&self.directory.join(&path))?;
                    let is_directory = found.is_some_and(|found| found.kind == EntryKind::Directory);
                    self.differing.note(&path, Some(Why::Unmanaged { is_directory }));
                }
            }
        }
        Ok(())
    }
}

/// Reads until the buffer is full or the source ends.
fn fill(source: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn in_the_way(path: &Path, found: &Found, wanted: &str) -> Error {
    wrong_type(path, found.kind.words(), wanted).hint("move it elsewhere, or skip the entry with `exclude`")
}
