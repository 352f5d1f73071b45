//! What the editor sends.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// A message may have this many bytes. An editor that sends more has lost its way.
const LARGEST: usize = 256 << 20;

/// A message may have this many bytes of headers.
const LONGEST_HEAD: usize = 16 << 10;

/// Messages from a pipe. Knows whether one waits, so that work can be put off while the user types.
pub(crate) struct Inbox<F> {
    from: F,
    buffer: Vec<u8>,
}

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// The content of a message.
    Content(Vec<u8>),
    /// Headers that do not say how long the message is.
    Headless,
    /// Nothing, for as long as was waited.
    Idle,
    /// Nobody writes any more.
    End,
}

impl<F: AsFd> Inbox<F> {
    pub(crate) fn new(from: F) -> Self {
        Self { from, buffer: Vec::new() }
    }

    /// The next message. Waits for it, but not longer than `patience`.
    ///
    /// # Errors
    /// If the pipe cannot be read, or if what comes is no message at all.
    pub(crate) fn next(&mut self, patience: Option<Duration>) -> io::Result<Incoming> {
        loop {
            if let Some(incoming) = self.take()? {
                return Ok(incoming);
            }
            if !self.wait(patience)? {
                return Ok(Incoming::Idle);
            }
            if !self.fill()? {
                return Ok(Incoming::End);
            }
        }
    }

    /// A message that is there as a whole.
    fn take(&mut self) -> io::Result<Option<Incoming>> {
        let head = &self.buffer[..self.buffer.len().min(LONGEST_HEAD)];
        let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") else {
            return if self.buffer.len() < LONGEST_HEAD {
                Ok(None)
            } else {
                Err(lost("headers have no end"))
            };
        };
        let start = end + 4;
        let Some(length) = content_length(&self.buffer[..end]) else {
            self.buffer.drain(..start);
            return Ok(Some(Incoming::Headless));
        };
        if length > LARGEST {
            return Err(lost("a message is too large"));
        }
        if self.buffer.len() - start < length {
            return Ok(None);
        }
        let rest = self.buffer.split_off(start + length);
        let mut message = std::mem::replace(&mut self.buffer, rest);
        message.drain(..start);
        Ok(Some(Incoming::Content(message)))
    }

    /// Whether there is something to read before patience ends.
    fn wait(&self, patience: Option<Duration>) -> io::Result<bool> {
        let timeout = patience.and_then(|patience| Timespec::try_from(patience).ok());
        loop {
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], timeout.as_ref()) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Reads what is there; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut chunk = [0; 64 << 10];
        match rustix::io::read(&self.from, &mut chunk) {
            Ok(0) => Ok(false),
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                Ok(true)
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(true),
            Err(errno) => Err(errno.into()),
        }
    }
}

fn content_length(head: &[u8]) -> Option<usize> {
    let head = str::from_utf8(head).ok()?;
    let lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut lengths = lines.filter(|(name, _)| name.trim().eq_ignore_ascii_case("content-length"));
    lengths.next()?.1.trim().parse().ok()
}

fn lost(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn received(bytes: &[u8]) -> Vec<String> {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        writer.write_all(bytes).expect("it fits");
        drop(writer);
        let mut inbox = Inbox::new(reader);
        let mut list = Vec::new();
        loop {
            match inbox.next(None) {
                Ok(Incoming::End) => return list,
                Ok(Incoming::Content(content)) => list.push(String::from_utf8_lossy(&content).into_owned()),
                other => list.push(format!("{other:?}")),
            }
            if list.len() > 9 {
                return list;
            }
        }
    }

    #[test]
    fn messages_are_cut_out_of_the_stream() {
        let check =
            |text: &str, expected: &[&str]| assert_eq!(received(text.as_bytes()), expected, "{text:?}");
        check("", &[]);
        check("Content-Length: 2\r\n\r\nab", &["ab"]);
        check("content-length:1\r\nContent-Type: x\r\n\r\naContent-Length: 1\r\n\r\nb", &["a", "b"]);
        check("Content-Length: 0\r\n\r\n", &[""]);
        check("Content-Length: 5\r\n\r\nab", &[]);
        check("Other: 5\r\n\r\nContent-Length: 1\r\n\r\nb", &["Ok(Headless)", "b"]);
        check("Content-Length: -1\r\n\r\nContent-Length: 1\r\n\r\nb", &["Ok(Headless)", "b"]);
    }

    #[test]
    fn what_is_no_message_ends_it() {
        let ends = |text: &str| received(text.as_bytes())[0].contains("InvalidData");
        assert!(ends(&"x".repeat(LONGEST_HEAD)));
        assert!(ends("Content-Length: 999999999999\r\n\r\n"));
    }

    #[test]
    fn patience_ends() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut inbox = Inbox::new(reader);
        assert_eq!(inbox.next(Some(Duration::from_millis(1))).ok(), Some(Incoming::Idle));
        drop(writer);
        assert_eq!(inbox.next(Some(Duration::from_secs(60))).ok(), Some(Incoming::End));
    }
}
