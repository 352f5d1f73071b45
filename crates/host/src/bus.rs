//! A minimal D-Bus client for systemd: calls with plain arguments, replies and signals over a socket.
//!
//! A connection has no thread: a caller waits, and a watcher adds the socket to its epoll. docs/decisions explains why this
//! is not a library.

mod message;
#[cfg(test)]
mod oracle;
mod reader;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use std::{fmt, io};

use message::MessageKind;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use uphold_resource::Stop;

pub(crate) use message::{Body, Call, Message};
pub(crate) use reader::Reader;

// A connection to the D-Bus daemon, or to systemd itself.

/// The socket of the system bus.
const BUS: &str = "/run/dbus/system_bus_socket";

/// The socket on which systemd itself accepts root, even without a bus.
const PRIVATE: &str = "/run/systemd/private";

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// How often a wait checks whether the run was stopped.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// The timeout of the first handshake.
const HANDSHAKE: Duration = Duration::from_millis(250);

/// A connection. Dropping it ends its subscriptions.
pub(crate) struct Connection {
    stream: UnixStream,
    received: Vec<u8>,
    signals: VecDeque<Message>,
    serial: u32,
    /// Whether a bus is in between, which passes on only what was subscribed to.
    pub(crate) has_bus: bool,
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Connection {
    /// Connects to the bus, or to systemd itself if there is no bus. systemd's own socket sometimes leaves a handshake
    /// unanswered, so another connection is tried soon.
    pub(crate) fn open(deadline: Deadline<'_>) -> Result<Self, CallError> {
        let mut limit = HANDSHAKE;
        let mut connection = loop {
            match Self::connect(deadline.at_most(limit)) {
                Err(CallError::TimedOut) if !deadline.left().is_zero() => limit *= 2,
                connected => break connected?,
            }
        };
        if connection.has_bus {
            connection.call_bus("Hello", Body::default(), deadline)?;
        }
        Ok(connection)
    }

    fn connect(deadline: Deadline<'_>) -> Result<Self, CallError> {
        let (stream, has_bus) = match UnixStream::connect(BUS) {
            Ok(stream) => (stream, true),
            Err(error) => (UnixStream::connect(PRIVATE).map_err(|_| error)?, false),
        };
        stream.set_nonblocking(true)?;
        let (received, signals) = (Vec::new(), VecDeque::new());
        let mut connection = Self { stream, received, signals, serial: 0, has_bus };
        connection.authenticate(deadline)?;
        Ok(connection)
    }

    /// Authenticates by the credentials of the socket. systemd's own socket does not process data that arrives together with
    /// `BEGIN` until more arrives, so this waits for its answer before any call.
    fn authenticate(&mut self, deadline: Deadline<'_>) -> Result<(), CallError> {
        let uid = rustix::process::geteuid().as_raw().to_string();
        let uid: String = uid.bytes().map(|digit| format!("{digit:02x}")).collect();
        self.send(format!("\0AUTH EXTERNAL {uid}\r\nBEGIN\r\n").as_bytes(), deadline)?;
        while !self.received.ends_with(b"\r\n") {
            self.receive(deadline)?;
        }
        if !self.received.starts_with(b"OK ") {
            let text = String::from_utf8_lossy(&self.received).trim().to_owned();
            return Err(CallError::Refused { name: "authentication failed".to_owned(), text });
        }
        self.received.clear();
        Ok(())
    }

    /// Calls a method of the bus itself.
    pub(crate) fn call_bus(
        &mut self,
        member: &str,
        body: Body,
        deadline: Deadline<'_>,
    ) -> Result<Message, CallError> {
        let bus = "org.freedesktop.DBus";
        let call = Call { destination: bus, path: "/org/freedesktop/DBus", interface: bus, member, body };
        self.call(&call, deadline)
    }

    /// Calls a method and waits for the reply. Signals that arrive meanwhile are queued.
    pub(crate) fn call(&mut self, call: &Call<'_>, deadline: Deadline<'_>) -> Result<Message, CallError> {
        self.serial += 1;
        let serial = self.serial;
        self.send(&call.encode(serial), deadline)?;
        loop {
            while let Some(message) = self.message()? {
                match message.kind {
                    MessageKind::Signal => self.signals.push_back(message),
                    MessageKind::Reply if message.answers == serial => return Ok(message),
                    MessageKind::Refusal if message.answers == serial => return Err(refusal(&message)),
                    _ => {}
                }
            }
            self.receive(deadline)?;
        }
    }

    /// Waits for the next signal.
    pub(crate) fn signal(&mut self, deadline: Deadline<'_>) -> Result<Message, CallError> {
        loop {
            if let Some(signal) = self.queued_signal()? {
                return Ok(signal);
            }
            self.receive(deadline)?;
        }
    }

    /// The next signal that has arrived already.
    fn queued_signal(&mut self) -> Result<Option<Message>, CallError> {
        if let Some(signal) = self.signals.pop_front() {
            return Ok(Some(signal));
        }
        while let Some(message) = self.message()? {
            if message.kind == MessageKind::Signal {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Receives data without waiting, and passes each signal to `take`.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(&Message)) -> Result<(), CallError> {
        loop {
            while let Some(signal) = self.queued_signal()? {
                take(&signal);
            }
            if !self.read()? {
                return Ok(());
            }
        }
    }

    /// Whether received data was not consumed.
    pub(crate) fn has_leftovers(&self) -> bool {
        !self.signals.is_empty() || !self.received.is_empty()
    }

    fn message(&mut self) -> Result<Option<Message>, CallError> {
        let broken = |_| io::Error::new(io::ErrorKind::InvalidData, "a message is invalid");
        Ok(Message::take(&mut self.received).map_err(broken)?)
    }

    fn send(&mut self, mut bytes: &[u8], deadline: Deadline<'_>) -> Result<(), CallError> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(PollFlags::OUT, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits for data and receives it.
    fn receive(&mut self, deadline: Deadline<'_>) -> Result<(), CallError> {
        while !self.read()? {
            self.wait(PollFlags::IN, deadline)?;
        }
        Ok(())
    }

    /// Receives available data; returns whether there was any.
    fn read(&mut self) -> Result<bool, CallError> {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok(count) => {
                self.received.extend(&chunk[..count]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Sleeps until the socket is ready, or until it is time to check for a stop.
    fn wait(&self, flags: PollFlags, deadline: Deadline<'_>) -> Result<(), CallError> {
        if deadline.is_over() {
            return Err(CallError::Stopped);
        }
        let left = deadline.left();
        if left.is_zero() {
            return Err(CallError::TimedOut);
        }
        let span = Timespec::try_from(left.min(STOP_CHECK)).ok();
        match poll(&mut [PollFd::new(&self.stream, flags)], span.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(io::Error::from(errno).into()),
        }
    }
}

fn refusal(message: &Message) -> CallError {
    let text = if message.signature.starts_with('s') { message.body().text() } else { None };
    CallError::Refused { name: message.error.clone(), text: text.unwrap_or_default().to_owned() }
}

/// The failure of a call.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The callee returned an error.
    Refused {
        /// The name of its error.
        name: String,
        /// Its message.
        text: String,
    },
    /// The deadline has passed.
    TimedOut,
    /// The run was stopped.
    Stopped,
    /// The connection failed.
    Lost(io::Error),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Refused { text, name } if text.is_empty() => f.write_str(name),
            CallError::Refused { text, .. } => f.write_str(text),
            CallError::TimedOut => f.write_str("no answer in time"),
            CallError::Stopped => f.write_str("the run was stopped"),
            CallError::Lost(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<io::Error> for CallError {
    fn from(error: io::Error) -> Self {
        CallError::Lost(error)
    }
}

// Deadlines.

/// The deadline of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    until: Instant,
    stop: &'a Stop,
    /// Whether a stop request does not end it unless it is urgent.
    is_firm: bool,
}

impl<'a> Deadline<'a> {
    /// A deadline after `span`. A stop request ends it early.
    pub(crate) fn of(span: Duration, stop: &'a Stop) -> Self {
        // `Instant` cannot represent every span; a year is longer than any wait.
        let year = Duration::from_secs(365 * 24 * 3600);
        Self { until: Instant::now() + span.min(year), stop, is_firm: false }
    }

    /// A deadline for a short operation, which only an urgent stop request ends early.
    pub(crate) fn firm(span: Duration, stop: &'a Stop) -> Self {
        Self { is_firm: true, ..Self::of(span, stop) }
    }

    /// The same deadline, but at most `span` from now.
    fn at_most(self, span: Duration) -> Self {
        Self { until: self.until.min(Instant::now() + span), ..self }
    }

    /// The remaining time.
    pub(crate) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Whether a stop request has ended it.
    fn is_over(&self) -> bool {
        self.stop.is_urgent() || (self.stop.is_requested() && !self.is_firm)
    }
}
