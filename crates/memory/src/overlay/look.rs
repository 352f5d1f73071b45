//! Reading files through an overlay.

use std::ffi::OsString;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use uphold_resource::{Entry, Files, OpenFile, Result, wrong_type};

use super::host::Overlay;
use crate::tree::{Body, Content, Directory, Inode, Stop, Tree, Trust, looping, unlistable, within};

/// The source of a path.
enum Source<T> {
    /// The tree.
    Tree(T),
    /// It was not changed: this path of the base machine.
    Base(PathBuf),
}

impl Overlay {
    /// Calls `read` with the node at `path`. All names but the last are learned.
    fn find<T>(
        &self,
        path: &Path,
        trust: Trust<'_>,
        read: impl Fn(&Tree, Inode) -> T,
    ) -> Result<Result<Source<T>, Stop>> {
        self.resolve(|tree| match tree.find_trusting(path, trust) {
            Ok(inode) => Ok(Source::Tree(read(tree, inode))),
            Err(Stop::Below(path)) => Ok(Source::Base(path)),
            Err(stop) => Err(stop),
        })
    }

    /// The entry of the base machine at `path`; as changed here, if another hard link of it was changed.
    fn look_at_base(&self, path: &Path) -> Result<Option<Entry>> {
        let Some(entry) = self.base.files.look(path)? else { return Ok(None) };
        let tree = self.tree();
        Ok(Some(tree.known(&entry).map_or(entry, |inode| tree.entry(inode))))
    }
}

impl Files for Overlay {
    fn root(&self) -> Option<&Path> {
        self.base.files.root()
    }

    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        match self.find(path, Trust::Anyone, Tree::entry)? {
            Ok(Source::Tree(entry)) => Ok(Some(entry)),
            Ok(Source::Base(path)) => self.look_at_base(&path),
            Err(Stop::Missing | Stop::NotDirectory) => Ok(None),
            Err(_) => Err(looping("read the attributes of", path)),
        }
    }

    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.read_within(&path, size, limit),
            Source::Tree(Content::InMemory(content)) => within(path, &content, limit).map(<[u8]>::to_vec),
            Source::Tree(Content::Below { path, size }) => self.base.files.read_within(&path, size, limit),
        }
    }

    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.open(&path),
            Source::Tree(Content::InMemory(content)) => Ok(Box::new(Cursor::new(content))),
            Source::Tree(Content::Below { path, .. }) => self.base.files.open(&path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, inode: Inode| tree.get(inode).directory().cloned();
        let source =
            self.find(path, Trust::Anyone, directory)?.map_err(|stop| unlistable(path, Some(&stop)))?;
        match source {
            Source::Base(path) => self.base.files.list(&path),
            Source::Tree(directory) => {
                let directory = directory.ok_or_else(|| unlistable(path, None))?;
                Ok(directory.merged(self.names_below(&directory)?))
            }
        }
    }
}

impl Overlay {
    /// The source of the content of the regular file at `path`.
    fn find_content(&self, path: &Path) -> Result<Source<Content>> {
        let content = |tree: &Tree, inode: Inode| match &tree.get(inode).body {
            Body::File(content) => Ok(content.clone()),
            _ => Err(wrong_type(path, tree.get(inode).words(), "a regular file")),
        };
        let accounts = &self.base.accounts;
        let is_private_group = |owner, gid| accounts.is_private_group(owner, gid).unwrap_or(false);
        let trust = Trust::Reading { uid: self.process.uid, is_private_group: &is_private_group };
        match self.find(path, trust, content)?.map_err(|stop| stop.cannot("read", path))? {
            Source::Base(path) => Ok(Source::Base(path)),
            Source::Tree(content) => content.map(Source::Tree),
        }
    }

    /// The names that the base machine has in a directory, sorted.
    pub(super) fn names_below(&self, directory: &Directory) -> Result<Vec<OsString>> {
        directory.below().map_or(Ok(Vec::new()), |path| self.base.files.list(path))
    }
}
