//! The terminal: its modes, output and input.

mod ansi;
mod keyboard;
mod terminal_mode;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::stdin;
use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGWINCH};
use signal_hook::low_level::{pipe, unregister};

pub use terminal_mode::TerminalMode;

pub(crate) use ansi::Ansi;
pub(crate) use keyboard::{Key, Keyboard};
pub(crate) use terminal_mode::collect_panics;

// Wakes the view when there is something new to draw.

/// Wakes the view to draw a change. Clones wake the same view.
///
/// Ringing costs one atomic operation, and one small write per drawn frame. It never blocks.
#[derive(Clone, Debug)]
pub struct Bell(Arc<Line>);

#[derive(Debug)]
struct Line {
    is_rung: AtomicBool,
    end: OwnedFd,
}

impl Bell {
    /// Wakes the view.
    pub fn ring(&self) {
        if !self.0.is_rung.swap(true, Ordering::AcqRel) {
            // If the pipe is full or has no reader, there is nothing to do.
            let _ = rustix::io::write(&self.0.end, &[0]);
        }
    }
}

/// The receiving end of a bell.
#[derive(Debug)]
pub(crate) struct BellReceiver {
    line: Arc<Line>,
    end: OwnedFd,
}

impl BellReceiver {
    /// A bell that has not been rung.
    ///
    /// # Errors
    /// If no pipe can be created.
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Self { line: Arc::new(Line { is_rung: AtomicBool::new(false), end: writer }), end: reader })
    }

    /// The sending end.
    pub(crate) fn bell(&self) -> Bell {
        Bell(Arc::clone(&self.line))
    }

    /// Empties the pipe. Rings have no effect until [`BellReceiver::reset`], so that a burst costs one write.
    pub(crate) fn clear(&self) {
        while rustix::io::read(&self.end, &mut [0_u8; 16]).is_ok_and(|count| count > 0) {}
    }

    /// Lets the bell ring again.
    pub(crate) fn reset(&self) {
        self.line.is_rung.store(false, Ordering::Release);
    }
}

impl AsFd for BellReceiver {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.end.as_fd()
    }
}

// Waits for keys, the bell, signals and a timeout.

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

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(receiver: &BellReceiver) -> u64 {
        rustix::io::ioctl_fionread(receiver).expect("the length of a pipe")
    }

    #[test]
    fn a_burst_rings_once_until_it_is_reset() {
        let receiver = BellReceiver::new().expect("a pipe");
        let bell = receiver.bell();
        (0..10_000).for_each(|_| bell.ring());
        assert_eq!(pending(&receiver), 1);
        receiver.clear();
        bell.clone().ring();
        assert_eq!(pending(&receiver), 0, "not reset yet");
        receiver.reset();
        bell.ring();
        assert_eq!(pending(&receiver), 1);
    }

    #[test]
    fn ringing_without_a_receiver_does_nothing() {
        let bell = BellReceiver::new().expect("a pipe").bell();
        bell.ring();
        bell.ring();
    }
}
