//! Looking at files through an overlay.

use std::ffi::OsString;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use uphold_resource::{Entry, Files, OpenFile, Result, wrong_type};

use super::host::Overlay;
use crate::tree::{Body, Content, Directory, Inode, Stop, Tree, Trust, looping, unlistable, within};

/// What is known about a path.
enum Glance<T> {
    /// The tree has it.
    Here(T),
    /// Nobody touched it: this path of the machine below tells.
    Below(PathBuf),
}

impl Overlay {
    /// What `tell` says about what is at `path`. All names but the last are learned on the way.
    fn glance<T>(
        &self,
        path: &Path,
        trust: Trust<'_>,
        tell: impl Fn(&Tree, Inode) -> T,
    ) -> Result<Result<Glance<T>, Stop>> {
        self.settle(|tree| match tree.find_trusting(path, trust) {
            Ok(inode) => Ok(Glance::Here(tell(tree, inode))),
            Err(Stop::Below(path)) => Ok(Glance::Below(path)),
            Err(stop) => Err(stop),
        })
    }

    /// What the machine below has at `path`; if another name of it was touched, as it is now.
    fn look_below(&self, path: &Path) -> Result<Option<Entry>> {
        let Some(entry) = self.base.files.look(path)? else { return Ok(None) };
        let tree = self.tree();
        Ok(Some(tree.known(&entry).map_or(entry, |inode| tree.entry(inode))))
    }
}

impl Files for Overlay {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        match self.glance(path, Trust::Anybody, Tree::entry)? {
            Ok(Glance::Here(entry)) => Ok(Some(entry)),
            Ok(Glance::Below(path)) => self.look_below(&path),
            Err(Stop::Missing | Stop::NotDirectory) => Ok(None),
            Err(_) => Err(looping("look at", path)),
        }
    }

    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        match self.find_content(path)? {
            Glance::Below(path) => self.base.files.read_within(&path, size, limit),
            Glance::Here(Content::Held(content)) => within(path, &content, limit).map(<[u8]>::to_vec),
            Glance::Here(Content::Below { path, size }) => self.base.files.read_within(&path, size, limit),
        }
    }

    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        match self.find_content(path)? {
            Glance::Below(path) => self.base.files.open(&path),
            Glance::Here(Content::Held(content)) => Ok(Box::new(Cursor::new(content))),
            Glance::Here(Content::Below { path, .. }) => self.base.files.open(&path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, inode: Inode| tree.get(inode).directory().cloned();
        let glance =
            self.glance(path, Trust::Anybody, directory)?.map_err(|stop| unlistable(path, Some(&stop)))?;
        match glance {
            Glance::Below(path) => self.base.files.list(&path),
            Glance::Here(directory) => {
                let directory = directory.ok_or_else(|| unlistable(path, None))?;
                Ok(directory.merged(self.names_below(&directory)?))
            }
        }
    }
}

impl Overlay {
    /// Where the content of the regular file at `path` is.
    fn find_content(&self, path: &Path) -> Result<Glance<Content>> {
        let content = |tree: &Tree, inode: Inode| match &tree.get(inode).body {
            Body::File(content) => Ok(content.clone()),
            _ => Err(wrong_type(path, tree.get(inode).words(), "a regular file")),
        };
        let accounts = &self.base.accounts;
        let is_private_group = |owner, gid| accounts.is_private_group(owner, gid).unwrap_or(false);
        let trust = Trust::Reading { uid: self.process.uid, is_private_group: &is_private_group };
        match self.glance(path, trust, content)?.map_err(|stop| stop.cannot("read", path))? {
            Glance::Below(path) => Ok(Glance::Below(path)),
            Glance::Here(content) => content.map(Glance::Here),
        }
    }

    /// The names that the machine below has in a directory, sorted.
    pub(super) fn names_below(&self, directory: &Directory) -> Result<Vec<OsString>> {
        directory.below().map_or(Ok(Vec::new()), |path| self.base.files.list(path))
    }
}
