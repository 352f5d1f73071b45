//! Waits for keys, the bell, signals and a timeout.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGWINCH};
use signal_hook::low_level::{pipe, unregister};

use super::bell::BellReceiver;

/// The reasons why a wait ended.
#[derive(Debug, Default)]
pub(crate) struct Wakeup {
    /// Typed bytes.
    pub(crate) typed: Vec<u8>,
    /// Whether the bell was rung.
    pub(crate) is_rung: bool,
    /// Whether the terminal was resized.
    pub(crate) is_resized: bool,
    /// Whether the process was resumed after a suspension.
    pub(crate) is_resumed: bool,
    /// Whether the terminal went away.
    pub(crate) is_gone: bool,
}

/// The inputs of the view.
#[derive(Debug)]
pub(crate) struct Inputs {
    receiver: BellReceiver,
    signals: TerminalSignals,
}

impl Inputs {
    /// Standard input, the bell, and the signals of a terminal.
    ///
    /// # Errors
    /// If the signal handlers cannot be installed.
    pub(crate) fn new(receiver: BellReceiver) -> io::Result<Self> {
        Ok(Self { receiver, signals: TerminalSignals::new()? })
    }

    /// Lets the bell ring again.
    pub(crate) fn reset_bell(&self) {
        self.receiver.reset();
    }

    /// Waits for an input, at most this long.
    pub(crate) fn wait(&self, time: Duration) -> Wakeup {
        let mut inputs = [
            PollFd::from_borrowed_fd(stdin(), PollFlags::IN),
            PollFd::new(&self.receiver, PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.resized(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.resumed(), PollFlags::IN),
        ];
        let time = Timespec::try_from(time).ok();
        match poll(&mut inputs, time.as_ref()) {
            Ok(_) => {}
            // Another signal: the caller waits again.
            Err(Errno::INTR) => return Wakeup::default(),
            Err(_) => return Wakeup { is_gone: true, ..Wakeup::default() },
        }
        let [input, bell, resized, resumed] = inputs.map(|input| !input.revents().is_empty());
        self.receiver.clear();
        self.signals.clear();
        let woken = Wakeup { is_rung: bell, is_resized: resized, is_resumed: resumed, ..Wakeup::default() };
        if input { read(woken) } else { woken }
    }
}

fn read(woken: Wakeup) -> Wakeup {
    let mut bytes = [0; 1024];
    match rustix::io::read(stdin(), &mut bytes) {
        Ok(count) if count > 0 => Wakeup { typed: bytes[..count].to_vec(), ..woken },
        Err(Errno::INTR | Errno::AGAIN) => woken,
        _ => Wakeup { is_gone: true, ..woken },
    }
}

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
