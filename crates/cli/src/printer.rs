//! Output in a thread of its own, so that a blocked reader never blocks the engine.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::diagnostics::count;

/// The size of the buffer in bytes; more output is dropped.
const ROOM: usize = 1 << 20;

/// How long the end of a run waits for a reader.
const LAST_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Out,
    Err,
}

/// Writes to standard output and standard error in a thread, in order.
///
/// A blocked reader, such as a stopped terminal, blocks only that thread. Text that does not fit the buffer is dropped,
/// and the number of dropped lines is reported as soon as there is room again.
#[derive(Clone)]
pub(crate) struct Printer(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

struct Queue {
    texts: VecDeque<(To, Vec<u8>)>,
    /// The size of all texts in bytes.
    size: usize,
    room: usize,
    /// The number of lines dropped since the last text that fit.
    dropped: usize,
    /// Whether a text is being written.
    busy: bool,
    /// The error that ended standard output.
    failed: Option<io::Error>,
}

impl Printer {
    /// Starts the thread.
    #[expect(clippy::disallowed_methods, reason = "the thread may wait for a reader for ever")]
    pub(crate) fn start(mut out: Box<dyn Write + Send>, mut err: Box<dyn Write + Send>) -> io::Result<Self> {
        let (texts, failed) = (VecDeque::new(), None);
        let queue = Queue { texts, size: 0, room: ROOM, dropped: 0, busy: false, failed };
        let printer = Self(Arc::new(Shared { queue: Mutex::new(queue), changed: Condvar::new() }));
        let shared = printer.clone();
        let print = move || {
            loop {
                let (to, text) = shared.next();
                let target = if to == To::Out { &mut out } else { &mut err };
                let written = target.write_all(&text).and_then(|()| target.flush());
                shared.printed(text.len(), written.err().filter(|_| to == To::Out));
            }
        };
        thread::Builder::new().name("printer".to_owned()).spawn(print)?;
        Ok(printer)
    }

    /// Adds a text if there is room for it. Never blocks.
    pub(crate) fn print(&self, to: To, text: Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let mut queue = self.lock();
        if to == To::Out && queue.failed.is_some() {
            return;
        }
        // A text larger than the whole buffer is accepted if the buffer is empty.
        if queue.size > 0 && queue.size + text.len() > queue.room {
            queue.dropped += text.iter().filter(|byte| **byte == b'\n').count().max(1);
            return;
        }
        if queue.dropped > 0 {
            let lines = std::mem::take(&mut queue.dropped);
            let (lines, verb) = (count(lines, "line"), if lines == 1 { "was" } else { "were" });
            let notice =
                format!("warning: {lines} of output {verb} dropped: the output was not read in time\n");
            queue.push(To::Err, notice.into_bytes());
        }
        queue.push(to, text);
        self.0.changed.notify_all();
    }

    /// From now on nothing is dropped.
    pub(crate) fn keep_all(&self) {
        self.lock().room = usize::MAX;
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.lock().failed.is_some()
    }

    /// Waits a limited time until everything is written. Returns the error that ended standard output.
    pub(crate) fn finish(&self) -> Option<io::Error> {
        let is_busy = |queue: &mut Queue| queue.busy || !queue.texts.is_empty();
        let waited = self.0.changed.wait_timeout_while(self.lock(), LAST_WAIT, is_busy);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.failed.take()
    }

    fn next(&self) -> (To, Vec<u8>) {
        let mut queue = self.lock();
        loop {
            if let Some(text) = queue.texts.pop_front() {
                queue.busy = true;
                return text;
            }
            queue = self.0.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn printed(&self, length: usize, failure: Option<io::Error>) {
        let mut queue = self.lock();
        queue.busy = false;
        queue.size -= length;
        if queue.failed.is_none() {
            queue.failed = failure;
        }
        self.0.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, to: To, text: Vec<u8>) {
        self.size += text.len();
        self.texts.push_back((to, text));
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test reads in a thread")]

    use std::io::Read;

    use super::*;

    #[test]
    fn a_blocked_reader_blocks_no_writer() {
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let both = writer.try_clone().expect("a pipe");
        let printer = Printer::start(Box::new(writer), Box::new(both)).expect("a thread");
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..4096 {
            printer.print(To::Out, line.clone().into_bytes());
        }
        assert!(printer.lock().size <= ROOM);
        assert!(printer.finish().is_none(), "it gives up");
        printer.keep_all();
        printer.print(To::Out, b"the end\n".to_vec());
        let reading = thread::spawn(move || {
            let mut text = Vec::new();
            let mut piece = [0; 65536];
            while !text.ends_with(b"the end\n") {
                let length = reader.read(&mut piece).expect("it can be read");
                text.extend_from_slice(&piece[..length]);
            }
            String::from_utf8(text).expect("a text")
        });
        let text = reading.join().expect("it reads");
        let kept = text.lines().filter(|line| line.starts_with('x')).count();
        let notices = text.lines().filter_map(|line| line.strip_prefix("warning: "));
        let dropped: usize =
            notices.filter_map(|notice| notice.split(' ').next()?.parse::<usize>().ok()).sum();
        assert_eq!(kept + dropped, 4096);
        assert!(dropped > 0 && kept >= 1024, "{kept}");
    }

    #[test]
    fn detects_a_closed_pipe() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let printer = Printer::start(Box::new(writer), Box::new(io::sink())).expect("a thread");
        drop(reader);
        printer.print(To::Out, b"x\n".to_vec());
        assert_eq!(printer.finish().map(|error| error.kind()), Some(io::ErrorKind::BrokenPipe));
    }
}
