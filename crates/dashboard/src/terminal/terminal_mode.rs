//! Takes over the terminal, collects panics meanwhile, and restores it.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{io, panic};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Alternate screen, no cursor, bracketed paste.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J\x1b[H";

/// Reverts `ENTER`, and resets colours.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// A terminal that takes no output for this many nanoseconds is stalled.
const STALLED: i64 = 200_000_000;

/// Most panics that are kept: the first ones are the cause.
const MOST_PANICS: usize = 8;

/// Restores the terminal. Clones share it.
///
/// It can be used from any thread, at any time, and repeatedly. It does not depend on the view's thread.
#[derive(Clone, Debug, Default)]
pub struct TerminalMode(Arc<Mutex<TerminalState>>);

#[derive(Debug, Default)]
struct TerminalState {
    /// The original modes, while the view uses the terminal.
    before: Option<Termios>,
    /// Messages of panics in that time.
    panics: Vec<String>,
    /// Whether the terminal was restored for good.
    is_over: bool,
}

impl TerminalMode {
    /// Restores the terminal for good. Does nothing the second time.
    pub fn restore(&self) {
        self.state().is_over = true;
        self.leave();
    }

    /// Takes over the terminal, with the alternate screen.
    ///
    /// # Errors
    /// If standard input is not a terminal, or it was restored for good.
    pub(crate) fn enter(&self) -> io::Result<()> {
        let mut state = self.state();
        if state.is_over {
            return Err(io::Error::other("the terminal has been restored"));
        }
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
        state.before.get_or_insert(before);
        write(ENTER)
    }

    /// Restores the terminal for now.
    pub(crate) fn leave(&self) {
        if let Some(before) = self.state().before.take() {
            // If the terminal is gone, there is nothing to restore.
            if takes_output() {
                let _ = write(LEAVE);
            }
            let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
        }
    }

    /// Keeps the message of a panic while the view uses the terminal; false if it does not.
    pub(crate) fn collect_panic(&self, message: impl FnOnce() -> String) -> bool {
        let mut state = self.state();
        if state.before.is_some() && state.panics.len() < MOST_PANICS {
            state.panics.push(message());
        }
        state.before.is_some()
    }

    /// Takes the kept messages.
    pub(crate) fn take_panics(&self) -> Vec<String> {
        std::mem::take(&mut self.state().panics)
    }

    fn state(&self) -> MutexGuard<'_, TerminalState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the terminal takes output soon: a stalled one must not delay the end.
fn takes_output() -> bool {
    let (out, time) = (stdout(), Timespec { tv_sec: 0, tv_nsec: STALLED });
    poll(&mut [PollFd::from_borrowed_fd(out, PollFlags::OUT)], Some(&time)).is_ok_and(|ready| ready > 0)
}

/// Writes to the terminal without the buffers of the standard library: a panicking thread may hold their locks.
pub(crate) fn write(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = rustix::io::retry_on_intr(|| rustix::io::write(stdout(), bytes))?;
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Keeps messages of panics until the terminal is restored, instead of writing them over the screen.
///
/// The process can continue after a panic: the engine catches those of kinds. While the view does not use the terminal,
/// panics are reported as usual.
pub(crate) fn collect_panics(terminal_mode: TerminalMode) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = || match Backtrace::capture() {
            trace if trace.status() == BacktraceStatus::Captured => format!("{info}\n{trace}"),
            _ => info.to_string(),
        };
        if !terminal_mode.collect_panic(message) {
            before(info);
        }
    }));
}
