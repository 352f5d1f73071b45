//! The status server of a running watch.

use std::io::{BufWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use uphold_resource::Error;
use uphold_wire::status::{Accepted, End, Refused, Request, VERSION};

use crate::acceptor::Acceptor;
use crate::broadcast::{Broadcast, Received};
use crate::model::StatusModel;
use crate::socket::{ListeningSocket, is_trusted};

/// Controls the watch on request. Called from threads of the server; must return soon.
pub struct Steering {
    /// Reloads the configuration.
    pub reload: Box<dyn Fn() + Send + Sync>,
    /// Checks every resource now.
    pub recheck: Box<dyn Fn() + Send + Sync>,
}

/// The most concurrent connections.
const CONNECTIONS: usize = 32;

/// Answers requests over a unix socket, in threads of its own. Stops, and removes the socket, when it is dropped.
///
/// # Guarantees
/// - Only this user and root are answered.
/// - A client cannot slow the watch down: slow readers and silent connections are cut off.
/// - One server listens at a path; a stale socket is replaced.
pub struct StatusServer {
    broadcast: Broadcast,
    // Dropped in this order: connections end before the socket is removed.
    _acceptor: Acceptor,
    _socket: ListeningSocket,
}

impl StatusServer {
    /// Listens at `path`, and creates its directory if it is missing.
    ///
    /// # Errors
    /// If another watch listens there, the directory is not trusted, or the system refuses.
    pub fn start(path: &Path, board: StatusModel, steering: Steering) -> uphold_resource::Result<Self> {
        let (socket, listener) = ListeningSocket::open(path)?;
        let broadcast = Broadcast::default();
        let responder = Responder { board, steering, broadcast: broadcast.clone() };
        let serve = move |connection: OwnedFd, is_refused| responder.serve(&connection.into(), is_refused);
        let acceptor = Acceptor::start("status", listener, CONNECTIONS, Box::new(serve));
        let acceptor = acceptor.map_err(|error| Error::io("listen at", path, error))?;
        Ok(Self { broadcast, _acceptor: acceptor, _socket: socket })
    }

    /// The channel of the events for followers.
    pub fn broadcast(&self) -> Broadcast {
        self.broadcast.clone()
    }
}

impl Drop for StatusServer {
    fn drop(&mut self) {
        self.broadcast.end();
    }
}

/// The longest request in bytes: ten times a valid one.
const REQUEST: usize = 1_024;

/// The timeout of a read, and the most reads of a request: no connection stays forever.
const TIMEOUT: Duration = Duration::from_secs(5);
const PARTS: usize = 16;

/// How often an idle follower is checked for a closed connection.
const IDLE_CHECK: Duration = Duration::from_secs(1);

/// The most problems in an overview.
const PROBLEMS: usize = 100;

/// Answers the requests of connections.
struct Responder {
    board: StatusModel,
    steering: Steering,
    broadcast: Broadcast,
}

/// Why a connection ended early.
enum Ended {
    /// The request cannot be answered: error code and message.
    Refused(&'static str, String),
    /// The connection is closed or stuck.
    Lost,
}

impl From<std::io::Error> for Ended {
    fn from(_: std::io::Error) -> Self {
        Ended::Lost
    }
}

impl Responder {
    /// Reads a request and answers it. A refused one is read, too: closing with unread bytes would reset the connection,
    /// and the answer would be lost.
    fn serve(&self, stream: &UnixStream, is_refused: bool) {
        if !is_trusted(stream) {
            return;
        }
        let timeouts = stream.set_read_timeout(Some(TIMEOUT)).and(stream.set_write_timeout(Some(TIMEOUT)));
        let ended = timeouts.map_err(Ended::from).and_then(|()| {
            let line = request(stream)?;
            if is_refused { Err(busy()) } else { self.answer(&line, stream) }
        });
        if let Err(Ended::Refused(code, message)) = ended {
            // The peer may have disconnected.
            let _ = send(stream, &Refused::new(code, &message));
        }
    }

    fn answer(&self, line: &[u8], stream: &UnixStream) -> Result<(), Ended> {
        let message = r#"cannot read the request: send one line of JSON, such as {"request":"status"}"#;
        let request =
            Request::read(line).ok_or_else(|| Ended::Refused("invalid_request", message.to_owned()))?;
        tracing::debug!(request = &*request.request, "status client");
        match &*request.request {
            "status" => send(stream, &self.board.snapshot().answer())?,
            "overview" => send(stream, &self.board.overview(PROBLEMS).answer())?,
            "follow" => self.follow(stream)?,
            "reload" => accept(&self.steering.reload, "reload", stream)?,
            "recheck" => accept(&self.steering.recheck, "recheck", stream)?,
            other => {
                let known = "status, overview, follow, reload and recheck";
                let message = format!("cannot answer {other:?}: request one of {known}");
                return Err(Ended::Refused("unknown_request", message));
            }
        }
        Ok(())
    }

    /// Sends a snapshot, then all events. Events during the snapshot may be sent twice.
    fn follow(&self, stream: &UnixStream) -> Result<(), Ended> {
        let follower = self.broadcast.follow();
        send(stream, &self.board.snapshot().answer())?;
        loop {
            match follower.next(IDLE_CHECK) {
                Received::Lines(lines) if lines.is_empty() && is_closed(stream) => return Ok(()),
                Received::Lines(lines) => {
                    let mut out = BufWriter::new(stream);
                    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                    out.flush()?;
                }
                Received::Overflow => {
                    let message = "events come faster than you read them: follow again".to_owned();
                    return Err(Ended::Refused("slow_reader", message));
                }
                Received::End => return Ok(send(stream, &End { r#type: "end".into() })?),
            }
        }
    }
}

/// Reads one line.
fn request(mut stream: &UnixStream) -> Result<Vec<u8>, Ended> {
    let mut line = Vec::new();
    let mut part = [0; REQUEST];
    for _ in 0..PARTS {
        let length = stream.read(&mut part)?;
        if let Some(end) = part[..length].iter().position(|byte| *byte == b'\n') {
            line.extend_from_slice(&part[..end]);
            return if line.len() > REQUEST { Err(too_long()) } else { Ok(line) };
        }
        line.extend_from_slice(&part[..length]);
        match length {
            0 if line.is_empty() => return Err(Ended::Lost),
            0 => return Ok(line),
            _ if line.len() > REQUEST => return Err(too_long()),
            _ => {}
        }
    }
    Err(too_long())
}

fn busy() -> Ended {
    let message = format!("cannot answer: all {CONNECTIONS} connections are in use; try again");
    Ended::Refused("busy", message)
}

fn too_long() -> Ended {
    let message = format!("cannot read a request of more than {REQUEST} bytes or {PARTS} parts");
    Ended::Refused("request_too_long", message)
}

fn send(stream: &UnixStream, answer: &impl Serialize) -> std::io::Result<()> {
    let mut out = BufWriter::new(stream);
    serde_json::to_writer(&mut out, answer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Does what was requested, and confirms it.
fn accept(act: &dyn Fn(), request: &'static str, stream: &UnixStream) -> std::io::Result<()> {
    act();
    send(stream, &Accepted { request: request.into(), format_version: VERSION, r#type: "accepted".into() })
}

/// Whether the peer closed the connection. One that only stopped writing may still read.
fn is_closed(stream: &UnixStream) -> bool {
    let mut watched = [PollFd::new(stream, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&at_once)).is_ok() && watched[0].revents().contains(PollFlags::HUP)
}
