//! Telling the view that there is something new.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::pipe::{PipeFlags, pipe_with};

/// Tells the view that something changed. Clones ring the same view.
///
/// To ring costs one atomic operation, and one small write for each picture that is drawn: it never waits.
#[derive(Clone, Debug)]
pub struct Bell(Arc<Line>);

#[derive(Debug)]
struct Line {
    is_rung: AtomicBool,
    end: OwnedFd,
}

impl Bell {
    /// Something changed.
    pub fn ring(&self) {
        if !self.0.is_rung.swap(true, Ordering::AcqRel) {
            // A pipe that is full, or has no reader any more, needs no second ring.
            let _ = rustix::io::write(&self.0.end, &[0]);
        }
    }
}

/// The end of the line at which the ring is heard.
#[derive(Debug)]
pub(crate) struct Clapper {
    line: Arc<Line>,
    end: OwnedFd,
}

impl Clapper {
    /// A bell that nobody has rung.
    ///
    /// # Errors
    /// If the system has no pipe for us.
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Self { line: Arc::new(Line { is_rung: AtomicBool::new(false), end: writer }), end: reader })
    }

    /// What rings it.
    pub(crate) fn bell(&self) -> Bell {
        Bell(Arc::clone(&self.line))
    }

    /// Takes the ring in. Nobody can ring again before [`Clapper::reset`]: a burst costs one write.
    pub(crate) fn hear(&self) {
        while rustix::io::read(&self.end, &mut [0_u8; 16]).is_ok_and(|count| count > 0) {}
    }

    /// What changes from now on rings again.
    pub(crate) fn reset(&self) {
        self.line.is_rung.store(false, Ordering::Release);
    }
}

impl AsFd for Clapper {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.end.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(clapper: &Clapper) -> u64 {
        rustix::io::ioctl_fionread(clapper).expect("a pipe can be asked")
    }

    #[test]
    fn a_burst_is_one_ring_until_it_was_seen_to() {
        let clapper = Clapper::new().expect("a pipe");
        let bell = clapper.bell();
        (0..10_000).for_each(|_| bell.ring());
        assert_eq!(pending(&clapper), 1);
        clapper.hear();
        bell.clone().ring();
        assert_eq!(pending(&clapper), 0, "the picture is not drawn yet");
        clapper.reset();
        bell.ring();
        assert_eq!(pending(&clapper), 1);
    }

    #[test]
    fn nobody_has_to_listen() {
        let bell = Clapper::new().expect("a pipe").bell();
        bell.ring();
        bell.ring();
    }
}
