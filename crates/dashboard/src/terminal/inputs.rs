//! Waits for keys, the bell, signals and a timeout.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;

use super::bell::BellReceiver;
use super::signals::TerminalSignals;

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
