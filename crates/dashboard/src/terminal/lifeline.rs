//! The modes of the terminal, and the way back to what they were.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// The other screen, no cursor, and marks around what is pasted.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J\x1b[H";

/// All of that taken back, and no colour left over.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// A terminal that takes nothing for so many nanoseconds is stalled.
const STALLED: i64 = 200_000_000;

/// How many panics are kept: the first ones say what went wrong.
const MOST_PANICS: usize = 8;

/// Puts the terminal back as it was. Clones hold the same terminal.
///
/// It may be used from any thread, at any time, and more than once. It does not need the view to answer.
#[derive(Clone, Debug, Default)]
pub struct Lifeline(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    /// How the terminal was, while it is ours.
    before: Option<Termios>,
    /// What panicked meanwhile.
    panics: Vec<String>,
    /// Nobody may take the terminal again.
    is_over: bool,
}

impl Lifeline {
    /// Puts the terminal back as it was, for good, if it is not so already.
    pub fn restore(&self) {
        self.held().is_over = true;
        self.leave();
    }

    /// Takes the terminal, with the other screen.
    ///
    /// # Errors
    /// If standard input is no terminal, or it was restored for good.
    pub(crate) fn enter(&self) -> io::Result<()> {
        let mut held = self.held();
        if held.is_over {
            return Err(io::Error::other("the terminal was given back"));
        }
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
        held.before.get_or_insert(before);
        write(ENTER)
    }

    /// Gives the terminal back for now.
    pub(crate) fn leave(&self) {
        if let Some(before) = self.held().before.take() {
            // There is nobody to tell that the terminal is gone, and nothing else to do about it.
            if takes_output() {
                let _ = write(LEAVE);
            }
            let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
        }
    }

    /// Keeps what a panic says while the terminal is ours; false if it is not.
    pub(crate) fn keep_panic(&self, message: impl FnOnce() -> String) -> bool {
        let mut held = self.held();
        if held.before.is_some() && held.panics.len() < MOST_PANICS {
            held.panics.push(message());
        }
        held.before.is_some()
    }

    /// The panics that were kept; told once.
    pub(crate) fn take_panics(&self) -> Vec<String> {
        std::mem::take(&mut self.held().panics)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the terminal takes something soon: one that is stalled must not keep us from ending.
fn takes_output() -> bool {
    let (out, time) = (stdout(), Timespec { tv_sec: 0, tv_nsec: STALLED });
    poll(&mut [PollFd::from_borrowed_fd(out, PollFlags::OUT)], Some(&time)).is_ok_and(|ready| ready > 0)
}

/// Writes all of it to the terminal, past the buffers of the library: a thread that panics may hold their locks.
pub(crate) fn write(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = rustix::io::retry_on_intr(|| rustix::io::write(stdout(), bytes))?;
        bytes = &bytes[count..];
    }
    Ok(())
}
