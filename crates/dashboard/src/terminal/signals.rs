//! Signals of the terminal.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGWINCH};
use signal_hook::low_level::{pipe, unregister};

/// Receives SIGWINCH (resized) and SIGCONT (resumed).
#[derive(Debug)]
pub(crate) struct TerminalSignals {
    ids: Vec<SigId>,
    resized: UnixStream,
    resumed: UnixStream,
}

impl TerminalSignals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// If a handler cannot be installed.
    pub(crate) fn new() -> io::Result<Self> {
        let (resized, resized_id) = listen(SIGWINCH)?;
        let (resumed, resumed_id) = listen(SIGCONT)?;
        Ok(Self { ids: vec![resized_id, resumed_id], resized, resumed })
    }

    /// Becomes readable when the terminal was resized.
    pub(crate) fn resized(&self) -> BorrowedFd<'_> {
        self.resized.as_fd()
    }

    /// Becomes readable when the process was resumed.
    pub(crate) fn resumed(&self) -> BorrowedFd<'_> {
        self.resumed.as_fd()
    }

    /// Clears received signals.
    pub(crate) fn clear(&self) {
        for stream in [&self.resized, &self.resumed] {
            while rustix::io::read(stream, &mut [0_u8; 16]).is_ok_and(|count| count > 0) {}
        }
    }
}

fn listen(signal: i32) -> io::Result<(UnixStream, SigId)> {
    let (reader, writer) = UnixStream::pair()?;
    reader.set_nonblocking(true)?;
    Ok((reader, pipe::register(signal, writer)?))
}

impl Drop for TerminalSignals {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            unregister(id);
        }
    }
}
