//! Files that are received in pieces.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Access, FileEdits, NewFile, Verify};
use crate::error::{Error, ErrorKind, Result};

/// A file that is received in pieces. It appears at its path only when it is complete, by [`put`](Receiver::put).
///
/// Received content survives a drop or the end of the process: the next receiver for the same path resumes there. It is
/// stored in a hidden file beside the path, which only this user can open.
pub trait Receiver {
    /// Bytes received so far, including those of an earlier run.
    fn length(&self) -> u64;

    /// Passes all received content to `look`, in order.
    ///
    /// # Errors
    /// If it cannot be read, or if `look` fails.
    fn review(&mut self, look: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>;

    /// Discards the received content.
    fn restart(&mut self) -> Result<()>;

    /// Appends a piece.
    fn append(&mut self, piece: &[u8]) -> Result<()>;

    /// Puts the file at its path, or discards it if verification fails.
    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()>;

    /// Discards the received content and the receiver.
    fn discard(self: Box<Self>) -> Result<()>;
}

/// The attributes of a received file that is put at its path: a [`NewFile`] without content.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// Owner and permissions, as in [`NewFile::access`].
    pub access: Access,
    /// Checks the finished file, as [`NewFile::verify`].
    pub verify: Option<&'a Verify<'a>>,
    /// Whether to replace something that is not a regular file.
    pub replace_other: bool,
}

/// A receiver that stores everything in memory, for machines in memory and overlays. Nothing survives a run.
pub struct Gathered<'a> {
    edits: &'a dyn FileEdits,
    path: &'a Path,
    content: Vec<u8>,
    room: Option<&'a AtomicU64>,
}

impl<'a> Gathered<'a> {
    /// A receiver for `path`, which is written through `edits`.
    pub fn new(edits: &'a dyn FileEdits, path: &'a Path) -> Self {
        Self { edits, path, content: Vec::new(), room: None }
    }

    /// Limits the received bytes to `room`, from which they are subtracted for good. More is
    /// [unpredictable](ErrorKind::Unpredictable).
    #[must_use]
    pub fn within(self, room: &'a AtomicU64) -> Self {
        Self { room: Some(room), ..self }
    }

    fn take_room(&self, size: u64) -> Result<()> {
        let Some(room) = self.room else { return Ok(()) };
        let less = |room: u64| room.checked_sub(size);
        match room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Ok(()),
            Err(_) => {
                let what = format!("{} is too large for a plan to predict", self.path.display());
                Err(Error::new(ErrorKind::Unpredictable, what))
            }
        }
    }
}

impl Receiver for Gathered<'_> {
    fn length(&self) -> u64 {
        self.content.len() as u64
    }

    fn review(&mut self, look: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        look(&self.content)
    }

    fn restart(&mut self) -> Result<()> {
        self.content.clear();
        Ok(())
    }

    fn append(&mut self, piece: &[u8]) -> Result<()> {
        self.take_room(piece.len() as u64)?;
        self.content.extend_from_slice(piece);
        Ok(())
    }

    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()> {
        let Place { access, verify, replace_other } = *place;
        let file = NewFile { verify, replace_other, ..NewFile::new(&self.content, access) };
        self.edits.write(self.path, &file)
    }

    fn discard(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
