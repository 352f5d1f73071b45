//! A connection to the bus, or to systemd itself.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::body::Body;
use super::message::{Call, Message, MessageKind};
use super::patience::Patience;
use super::trouble::Trouble;

/// Where the bus of the system listens.
const BUS: &str = "/run/dbus/system_bus_socket";

/// Where systemd itself listens to root, bus or no bus.
const PRIVATE: &str = "/run/systemd/private";

/// So much is read at once.
const CHUNK: usize = 64 * 1024;

/// How often we look whether the run is to be stopped.
const LOOK_UP: Duration = Duration::from_millis(100);

/// How long the first handshake may take.
const HANDSHAKE: Duration = Duration::from_millis(250);

/// A connection. Dropping it ends whatever was subscribed to.
pub(crate) struct Connection {
    stream: UnixStream,
    came: Vec<u8>,
    signals: VecDeque<Message>,
    serial: u32,
    /// Whether there is a bus in between, which passes on only what was asked for.
    pub(crate) has_bus: bool,
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Connection {
    /// To the bus; to systemd itself if there is no bus. systemd's own socket now and then leaves a handshake unanswered, so
    /// another connection is tried soon.
    pub(crate) fn open(patience: Patience<'_>) -> Result<Self, Trouble> {
        let mut limit = HANDSHAKE;
        let mut connection = loop {
            match Self::connect(patience.at_most(limit)) {
                Err(Trouble::TimedOut) if !patience.left().is_zero() => limit *= 2,
                connected => break connected?,
            }
        };
        if connection.has_bus {
            connection.call_bus("Hello", Body::default(), patience)?;
        }
        Ok(connection)
    }

    fn connect(patience: Patience<'_>) -> Result<Self, Trouble> {
        let (stream, has_bus) = match UnixStream::connect(BUS) {
            Ok(stream) => (stream, true),
            Err(error) => (UnixStream::connect(PRIVATE).map_err(|_| error)?, false),
        };
        stream.set_nonblocking(true)?;
        let (came, signals) = (Vec::new(), VecDeque::new());
        let mut connection = Self { stream, came, signals, serial: 0, has_bus };
        connection.introduce(patience)?;
        Ok(connection)
    }

    /// Says who we are; the kernel vouches for it. What comes together with `BEGIN` systemd's own socket leaves lying until
    /// more comes, so that nothing is asked before it has answered.
    fn introduce(&mut self, patience: Patience<'_>) -> Result<(), Trouble> {
        let uid = rustix::process::geteuid().as_raw().to_string();
        let uid: String = uid.bytes().map(|digit| format!("{digit:02x}")).collect();
        self.send(format!("\0AUTH EXTERNAL {uid}\r\nBEGIN\r\n").as_bytes(), patience)?;
        while !self.came.ends_with(b"\r\n") {
            self.receive(patience)?;
        }
        if !self.came.starts_with(b"OK ") {
            let text = String::from_utf8_lossy(&self.came).trim().to_owned();
            return Err(Trouble::Refused { name: "we are not let in".to_owned(), text });
        }
        self.came.clear();
        Ok(())
    }

    /// Asks the bus itself.
    pub(crate) fn call_bus(
        &mut self,
        member: &str,
        body: Body,
        patience: Patience<'_>,
    ) -> Result<Message, Trouble> {
        let bus = "org.freedesktop.DBus";
        let call = Call { destination: bus, path: "/org/freedesktop/DBus", interface: bus, member, body };
        self.call(&call, patience)
    }

    /// Asks, and waits for the answer. Signals that come meanwhile are kept.
    pub(crate) fn call(&mut self, call: &Call<'_>, patience: Patience<'_>) -> Result<Message, Trouble> {
        self.serial += 1;
        let serial = self.serial;
        self.send(&call.encode(serial), patience)?;
        loop {
            while let Some(message) = self.message()? {
                match message.kind {
                    MessageKind::Signal => self.signals.push_back(message),
                    MessageKind::Reply if message.answers == serial => return Ok(message),
                    MessageKind::Refusal if message.answers == serial => return Err(refusal(&message)),
                    _ => {}
                }
            }
            self.receive(patience)?;
        }
    }

    /// The next signal, waited for.
    pub(crate) fn signal(&mut self, patience: Patience<'_>) -> Result<Message, Trouble> {
        loop {
            if let Some(signal) = self.waiting_signal()? {
                return Ok(signal);
            }
            self.receive(patience)?;
        }
    }

    /// The next signal that is there already.
    fn waiting_signal(&mut self) -> Result<Option<Message>, Trouble> {
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

    /// Takes in what has come, without waiting, and gives each signal to `take`.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(&Message)) -> Result<(), Trouble> {
        loop {
            while let Some(signal) = self.waiting_signal()? {
                take(&signal);
            }
            if !self.read()? {
                return Ok(());
            }
        }
    }

    /// Whether something came that nobody took.
    pub(crate) fn has_leftovers(&self) -> bool {
        !self.signals.is_empty() || !self.came.is_empty()
    }

    fn message(&mut self) -> Result<Option<Message>, Trouble> {
        let broken = |_| io::Error::new(io::ErrorKind::InvalidData, "a message cannot be read");
        Ok(Message::take(&mut self.came).map_err(broken)?)
    }

    fn send(&mut self, mut bytes: &[u8], patience: Patience<'_>) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(PollFlags::OUT, patience)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits until something comes, and takes it in.
    fn receive(&mut self, patience: Patience<'_>) -> Result<(), Trouble> {
        while !self.read()? {
            self.wait(PollFlags::IN, patience)?;
        }
        Ok(())
    }

    /// Takes in what is there; whether anything was.
    fn read(&mut self) -> Result<bool, Trouble> {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok(count) => {
                self.came.extend(&chunk[..count]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Sleeps until the socket is ready, or for so long that it is time to look up.
    fn wait(&self, flags: PollFlags, patience: Patience<'_>) -> Result<(), Trouble> {
        if patience.is_over() {
            return Err(Trouble::Stopped);
        }
        let left = patience.left();
        if left.is_zero() {
            return Err(Trouble::TimedOut);
        }
        let span = Timespec::try_from(left.min(LOOK_UP)).ok();
        match poll(&mut [PollFd::new(&self.stream, flags)], span.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(io::Error::from(errno).into()),
        }
    }
}

fn refusal(message: &Message) -> Trouble {
    let text = if message.signature.starts_with('s') { message.body().text() } else { None };
    Trouble::Refused { name: message.error.clone(), text: text.unwrap_or_default().to_owned() }
}
