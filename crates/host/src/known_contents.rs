//! The content of files that are not read, because they did not change since.
//!
//! # Why a file with the same attributes has the same content
//! The kernel sets the change time of a file at each change, and no user can set it back. What remains is excluded before a
//! content is remembered:
//! - A change within the same tick of the clock has the same change time: the file must not have changed for [`SETTLED`],
//!   which also covers file systems with coarse times, and clocks that are set back a little.
//! - A process that has mapped the file for writing changes it without a trace: no process may have it open for writing.
//!   Who opens it later changes the change time with the first write.
//! - The file system must keep change times as described: [`KNOWN`].

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rustix::buffer::spare_capacity;
use sha2::{Digest as _, Sha256};
use uphold_resource::{Entry, EntryKind, KnownContents, READ_LIMIT, Result, wrong_type};

use super::io_error::io_error;
use crate::root::Root;
use crate::{calls, look};

/// The age of the last change of a file whose content is remembered.
const SETTLED: Duration = Duration::from_secs(2);

/// File systems that set the change time of a file at each change: ext4, XFS, Btrfs, F2FS, tmpfs and overlayfs. Others may get
/// theirs from a server, or keep none.
const KNOWN: [u64; 6] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x794c_7630];

/// Remembered in place of a digest for a directory without temporary files.
const NO_LEFTOVERS: [u8; 32] = *b"no temporary files of killed run";

/// The number of bytes hashed at once.
const PIECE: usize = 64 * 1024;

/// The remembered contents, and the rules by which one is remembered.
pub(crate) struct Knowledge {
    contents: Arc<dyn KnownContents>,
    /// Each device that was seen, and whether its file system is known.
    devices: Mutex<Vec<(u64, bool)>>,
}

impl Knowledge {
    pub(crate) fn new(contents: Arc<dyn KnownContents>) -> Self {
        Self { contents, devices: Mutex::default() }
    }

    /// Whether the file at `path`, of the right size, contains exactly `content`.
    pub(crate) fn contains(&self, root: &Root, path: &Path, seen: &Entry, content: &[u8]) -> Result<bool> {
        if self.contents.contains(seen, content) {
            return Ok(true);
        }
        let file = look::open_source(root, path)?;
        let is_settled = self.is_settled(&file, seen);
        let contains = look::read_opened(&file, path, seen.size, seen.size.max(READ_LIMIT))? == content;
        if contains && is_settled && is_unchanged(&file, path, seen) {
            self.contents.remember(seen, content);
        }
        Ok(contains)
    }

    /// The SHA-256 digest of the regular file at `path`.
    pub(crate) fn sha256(&self, root: &Root, path: &Path) -> Result<[u8; 32]> {
        let known = |seen: &Entry| self.contents.sha256(seen).filter(|_| seen.kind == EntryKind::File);
        if let Some(digest) = look::look(root, path)?.as_ref().and_then(known) {
            return Ok(digest);
        }
        let file = look::open_source(root, path)?;
        let seen = look::opened(&file, path)?;
        if seen.kind != EntryKind::File {
            return Err(wrong_type(path, seen.kind.words(), "a regular file"));
        }
        let is_settled = self.is_settled(&file, &seen);
        let digest = digest(&file, path)?;
        if is_settled && is_unchanged(&file, path, &seen) {
            self.contents.remember_sha256(&seen, digest);
        }
        Ok(digest)
    }

    /// Whether there is no temporary file in a directory, because there was none and no name was added since.
    pub(crate) fn has_no_leftovers(&self, directory: &Entry) -> bool {
        self.contents.sha256(directory) == Some(NO_LEFTOVERS)
    }

    /// Remembers that there is no temporary file in a directory that was like `seen` before its names were read.
    pub(crate) fn remember_no_leftovers(&self, directory: &OwnedFd, path: &Path, seen: &Entry) {
        if self.is_old(directory, seen) && is_unchanged(directory, path, seen) {
            self.contents.remember_sha256(seen, NO_LEFTOVERS);
        }
    }

    /// Whether the content may be remembered, because each change from now on changes an attribute of the file.
    fn is_settled(&self, file: &OwnedFd, seen: &Entry) -> bool {
        self.is_old(file, seen) && uphold_lease::is_open_for_writing(file).is_ok_and(|is_open| !is_open)
    }

    /// Whether the next change has another change time.
    fn is_old(&self, file: &OwnedFd, seen: &Entry) -> bool {
        let age = SystemTime::now().duration_since(seen.changed);
        age.is_ok_and(|age| age > SETTLED) && self.is_known_device(seen.identity.0, file)
    }

    fn is_known_device(&self, device: u64, file: impl AsFd) -> bool {
        let mut devices = self.devices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_known)) = devices.iter().find(|(seen, _)| *seen == device) {
            return *is_known;
        }
        let is_known = calls::file_system_type(file).is_ok_and(|kind| KNOWN.contains(&kind));
        devices.push((device, is_known));
        is_known
    }
}

/// Whether a file that was settled before it was read is the same after it.
fn is_unchanged(file: &OwnedFd, path: &Path, seen: &Entry) -> bool {
    look::opened(file, path).is_ok_and(|after| after == *seen)
}

fn digest(file: &OwnedFd, path: &Path) -> Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    let mut piece = Vec::with_capacity(PIECE);
    loop {
        piece.clear();
        match rustix::io::retry_on_intr(|| rustix::io::read(file, spare_capacity(&mut piece))) {
            Ok(0) => return Ok(hasher.finalize().into()),
            Ok(_) => hasher.update(&piece),
            Err(errno) => return Err(io_error("read", path, errno.into())),
        }
    }
}
