//! Everything that the view waits for, in one wait.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;

use super::bell::Clapper;
use super::signals::TerminalSignals;

/// What ended a wait.
#[derive(Debug, Default)]
pub(crate) struct Wakening {
    /// What was typed.
    pub(crate) typed: Vec<u8>,
    /// Whether the bell was rung.
    pub(crate) is_rung: bool,
    /// Whether the terminal has another size.
    pub(crate) is_resized: bool,
    /// Whether we go on after having been stopped.
    pub(crate) is_resumed: bool,
    /// Whether the terminal went away.
    pub(crate) is_gone: bool,
}

/// The doors at which something may knock.
#[derive(Debug)]
pub(crate) struct Doors {
    clapper: Clapper,
    signals: TerminalSignals,
}

impl Doors {
    /// Standard input, the bell, and the signals of a terminal.
    ///
    /// # Errors
    /// If the system does not let us listen to signals.
    pub(crate) fn new(clapper: Clapper) -> io::Result<Self> {
        Ok(Self { clapper, signals: TerminalSignals::new()? })
    }

    /// The bell may be rung again.
    pub(crate) fn reset_bell(&self) {
        self.clapper.reset();
    }

    /// Waits until something comes, or the time is over.
    pub(crate) fn wait(&self, time: Duration) -> Wakening {
        let mut doors = [
            PollFd::from_borrowed_fd(stdin(), PollFlags::IN),
            PollFd::new(&self.clapper, PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.resized(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.resumed(), PollFlags::IN),
        ];
        let time = Timespec::try_from(time).ok();
        match poll(&mut doors, time.as_ref()) {
            Ok(_) => {}
            // A signal that nobody here listens to: the caller comes back.
            Err(Errno::INTR) => return Wakening::default(),
            Err(_) => return Wakening { is_gone: true, ..Wakening::default() },
        }
        let [input, bell, resized, resumed] = doors.map(|door| !door.revents().is_empty());
        self.clapper.hear();
        self.signals.hear();
        let woken =
            Wakening { is_rung: bell, is_resized: resized, is_resumed: resumed, ..Wakening::default() };
        if input { read(woken) } else { woken }
    }
}

fn read(woken: Wakening) -> Wakening {
    let mut bytes = [0; 1024];
    match rustix::io::read(stdin(), &mut bytes) {
        Ok(count) if count > 0 => Wakening { typed: bytes[..count].to_vec(), ..woken },
        Err(Errno::INTR | Errno::AGAIN) => woken,
        _ => Wakening { is_gone: true, ..woken },
    }
}
