//! Unpacking.

use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use uphold_resource::{Access, Act, Entry as Found, EntryKind, Place, Receiver, Result};

use super::comparison::Expected;
use super::differing::{Differing, Why};
use super::manifest::{Body, Entry};
use crate::packing::broken;

/// How much is written at once.
const PIECE: usize = 64 * 1024;

/// What directories get that the archive does not name.
const ON_THE_WAY: u32 = 0o755;

/// What we need to put something into a directory.
const OURS: u32 = 0o700;

/// A directory that is being filled.
pub(crate) struct Extraction<'a> {
    directory: &'a Path,
    expected: Expected,
    host: &'a Act<'a>,
    /// What has to be done; everything if none.
    differing: Option<&'a Differing>,
    /// Directories that are there.
    made: HashSet<PathBuf>,
    /// Directories that get their permissions at the end: until then we have to put things into them.
    closing: BTreeMap<PathBuf, u32>,
}

impl<'a> Extraction<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        expected: Expected,
        differing: Option<&'a Differing>,
        host: &'a Act<'a>,
    ) -> Self {
        Self { directory, expected, host, differing, made: HashSet::new(), closing: BTreeMap::new() }
    }

    /// Makes the directory itself, if it is not there.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.make_way(Path::new(""))
    }

    /// Unpacks one entry, if something is to be done about it.
    pub(crate) fn take(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<()> {
        let why = match self.differing {
            None => Some(Why::Content),
            Some(differing) => differing.why(&entry.path),
        };
        let Some(why) = why else { return Ok(()) };
        let parent = entry.path.parent().unwrap_or(Path::new(""));
        self.make_way(parent)?;
        let path = self.directory.join(&entry.path);
        let access = self.access(self.expected.mode(entry));
        match &entry.body {
            Body::Directory => self.directory(&entry.path, access),
            Body::File { .. } if matches!(why, Why::Mode | Why::Owner) => {
                uphold_resource::set_access(&path, "a regular file", &access, self.host)
            }
            Body::File { .. } => self.file(&path, access, content),
            Body::Link(target) => self.link(&path, target, why, access),
            // It is given away with the file that it is another name of.
            Body::HardLink(_) if why == Why::Owner => Ok(()),
            Body::HardLink(target) => {
                self.clear_other(&path)?;
                self.host.edits().make_hard_link(&path, &self.directory.join(target))
            }
        }
    }

    fn access(&self, mode: u32) -> Access {
        Access { mode: Some(mode), uid: self.expected.uid, gid: self.expected.gid }
    }

    fn look(&self, path: &Path) -> Result<Option<Found>> {
        self.host.files().look(path)
    }

    /// Makes the directories on the way that are not there.
    fn make_way(&mut self, path: &Path) -> Result<()> {
        let ways: Vec<&Path> = path.ancestors().take_while(|way| !self.made.contains(*way)).collect();
        for way in ways.into_iter().rev() {
            let whole = self.directory.join(way);
            if self.look(&whole)?.is_none() {
                let mode = self.expected.directory_mode.unwrap_or(ON_THE_WAY);
                self.make(&whole, way, mode)?;
            }
            self.made.insert(way.to_owned());
        }
        Ok(())
    }

    fn make(&mut self, whole: &Path, path: &Path, mode: u32) -> Result<()> {
        self.host.edits().make_directory(whole, &self.access(mode | OURS))?;
        if mode | OURS != mode {
            self.closing.insert(path.to_owned(), mode);
        }
        Ok(())
    }

    fn directory(&mut self, path: &Path, access: Access) -> Result<()> {
        let whole = self.directory.join(path);
        let mode = access.mode.unwrap_or(ON_THE_WAY);
        self.closing.remove(path);
        match self.look(&whole)? {
            None => self.make(&whole, path, mode)?,
            Some(_) if mode | OURS == mode => {
                uphold_resource::set_access(&whole, "a directory", &access, self.host)?;
            }
            Some(_) => _ = self.closing.insert(path.to_owned(), mode),
        }
        self.made.insert(path.to_owned());
        Ok(())
    }

    fn file(&self, path: &Path, access: Access, content: &mut dyn Read) -> Result<()> {
        let mut receiver = self.host.edits().receive(path)?;
        if let Err(error) = copy(content, receiver.as_mut()) {
            // Nothing could go on from it.
            return receiver.discard().and(Err(error));
        }
        let replace_other = self.look(path)?.is_some_and(|found| found.kind != EntryKind::Directory);
        receiver.put(&Place { access, verify: None, replace_other })
    }

    /// A link has an owner, and no permissions.
    fn link(&self, path: &Path, target: &Path, why: Why, access: Access) -> Result<()> {
        if why != Why::Owner {
            self.clear_other(path)?;
            self.host.edits().make_link(path, target)?;
        }
        match access.uid.is_some() || access.gid.is_some() {
            true => uphold_resource::set_access(
                path,
                "a symbolic link",
                &Access { mode: None, ..access },
                self.host,
            ),
            false => Ok(()),
        }
    }

    /// A device or the like gives way only when it is removed.
    fn clear_other(&self, path: &Path) -> Result<()> {
        match self.look(path)?.map(|found| found.kind) {
            Some(EntryKind::Other(_)) => self.host.edits().remove_file(path),
            _ => Ok(()),
        }
    }

    /// Gives directories their permissions.
    pub(crate) fn finish(self) -> Result<()> {
        for (path, mode) in self.closing.iter().rev() {
            uphold_resource::set_access(
                &self.directory.join(path),
                "a directory",
                &self.access(*mode),
                self.host,
            )?;
        }
        Ok(())
    }
}

/// Receives all of `content`, in place of what was received before.
fn copy(content: &mut dyn Read, receiver: &mut (dyn Receiver + '_)) -> Result<()> {
    receiver.restart()?;
    let mut buffer = vec![0; PIECE];
    loop {
        match content.read(&mut buffer).map_err(broken)? {
            0 => return Ok(()),
            read => receiver.append(&buffer[..read])?,
        }
    }
}
