//! Files that are too large to be held in memory.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Access, FileEdits, NewFile, Verify};
use crate::error::{Error, ErrorKind, Result};

/// A file that comes piece by piece. Nothing is at its path before it is [put](Receiver::put) there,
/// all at once.
///
/// What was received stays if this is dropped, or if the process is killed: whoever receives at the same
/// path the next time can go on where it ended. It is hidden beside the path, and only we can open it.
pub trait Receiver {
    /// How much there is already. What an earlier run left counts, too.
    fn length(&self) -> u64;

    /// Lets `look` see all that there is, in order.
    ///
    /// # Errors
    /// If it cannot be read, or as `look` fails.
    fn review(&mut self, look: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>;

    /// Throws away what there is.
    fn restart(&mut self) -> Result<()>;

    /// One more piece.
    fn append(&mut self, piece: &[u8]) -> Result<()>;

    /// Puts the file at its path, or throws it away if it is refused.
    fn put(self: Box<Self>, place: &Place<'_>) -> Result<()>;

    /// Throws everything away: nothing stays, and nothing is put anywhere.
    fn discard(self: Box<Self>) -> Result<()>;
}

/// How a file is put at its path: as a [`NewFile`], without its content.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// Owner and permissions, as in [`NewFile::access`].
    pub access: Access,
    /// Looks at the finished file, as [`NewFile::verify`].
    pub verify: Option<&'a Verify<'a>>,
    /// Whether something that is not a regular file may be replaced.
    pub replace_other: bool,
}

/// A receiver that holds everything in memory, for machines that are in memory themselves. It
/// does not outlive a run.
pub struct Gathered<'a> {
    edits: &'a dyn FileEdits,
    path: &'a Path,
    content: Vec<u8>,
    room: Option<&'a AtomicU64>,
}

impl<'a> Gathered<'a> {
    /// Receives what will be written to `path` through `edits`.
    pub fn new(edits: &'a dyn FileEdits, path: &'a Path) -> Self {
        Self { edits, path, content: Vec::new(), room: None }
    }

    /// The same; what is received takes from `room`, and stays taken. What finds no room there is
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
                let what = format!("{} is larger than what a plan tries", self.path.display());
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
        self.edits.write(self.path, &NewFile { content: &self.content, access, verify, replace_other })
    }

    fn discard(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
