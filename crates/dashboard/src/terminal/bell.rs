//! Wakes the view when there is something new to draw.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::pipe::{PipeFlags, pipe_with};

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
