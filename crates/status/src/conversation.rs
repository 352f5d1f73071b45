//! What is said over one connection: a line is asked, lines are answered.

use std::io::{BufWriter, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use uphold_wire::Word;
use uphold_wire::status::{Accepted, End, Refused, Request, VERSION};

use crate::board::Board;
use crate::broadcast::{Broadcast, Heard};
use crate::steering::Steering;

/// How long a request may be: what can be asked takes a tenth of it.
const REQUEST: usize = 1_024;

/// How long to wait for a part of a request, and how many parts it may come in: so nobody stays for ever.
const PATIENCE: Duration = Duration::from_secs(5);
const PARTS: usize = 16;

/// How often a silent connection is looked at, to see whether somebody is still there.
const GLANCE: Duration = Duration::from_secs(1);

/// How many troubles a short answer tells.
const TROUBLES: usize = 100;

/// What is known, and who can do something.
pub(crate) struct Knowledge {
    pub(crate) board: Board,
    pub(crate) steering: Arc<dyn Steering>,
    pub(crate) broadcast: Broadcast,
}

/// Why a conversation ended before its time.
enum Ended {
    /// The other side asked for something that is not there, in these words.
    Refused(&'static str, String),
    /// The connection is gone, or stuck.
    Lost,
}

impl From<std::io::Error> for Ended {
    fn from(_: std::io::Error) -> Self {
        Ended::Lost
    }
}

/// Refuses a request, whatever it is. It is read first: a connection that is closed with unread bytes is reset, and the
/// answer lost.
pub(crate) fn turn_away(stream: &UnixStream, word: &'static str, message: &str) {
    let timeouts = stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
    if timeouts.is_ok() && !matches!(request(stream), Err(Ended::Lost)) {
        // If that cannot be said either, nobody listens.
        let _ = say(stream, &Refused::new(word, message));
    }
}

impl Knowledge {
    /// Answers one request.
    pub(crate) fn converse(&self, stream: &UnixStream) {
        // A reader that takes nothing for so long is not there.
        let timeouts = stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
        let ended = timeouts.map_err(Ended::from).and_then(|()| self.answer(&request(stream)?, stream));
        if let Err(Ended::Refused(word, message)) = ended {
            // If that cannot be said either, nobody listens.
            let _ = say(stream, &Refused::new(word, &message));
        }
    }

    fn answer(&self, line: &[u8], stream: &UnixStream) -> Result<(), Ended> {
        let asked = asked(line)?;
        tracing::debug!(request = &*asked, "status client");
        match &*asked {
            "status" => self.tell_all(stream)?,
            "overview" => say(stream, &self.board.overview(TROUBLES).answer())?,
            "follow" => self.follow(stream)?,
            "reload" => {
                self.steering.reload();
                say(stream, &done("reload"))?;
            }
            "recheck" => {
                self.steering.recheck();
                say(stream, &done("recheck"))?;
            }
            other => {
                let known = "status, overview, follow, reload and recheck";
                return Err(Ended::Refused(
                    "unknown",
                    format!("cannot answer {other:?}: ask one of {known}"),
                ));
            }
        }
        Ok(())
    }

    fn tell_all(&self, stream: &UnixStream) -> std::io::Result<()> {
        let mut out = BufWriter::new(stream);
        serde_json::to_writer(&mut out, &self.board.snapshot().answer())?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// What is known, and then everything that happens. What happens while the first is told comes twice.
    fn follow(&self, stream: &UnixStream) -> Result<(), Ended> {
        let follower = self.broadcast.follow();
        self.tell_all(stream)?;
        loop {
            match follower.next(GLANCE) {
                Heard::Lines(lines) if lines.is_empty() && is_gone(stream) => return Ok(()),
                Heard::Lines(lines) => {
                    let mut out = BufWriter::new(stream);
                    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                    out.flush()?;
                }
                Heard::TooMuch => {
                    let message =
                        "you read more slowly than things happen: follow again from here".to_owned();
                    return Err(Ended::Refused("behind", message));
                }
                Heard::End => return Ok(say(stream, &End { r#type: "end".into() })?),
            }
        }
    }
}

/// One line.
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

fn too_long() -> Ended {
    Ended::Refused("too_long", format!("cannot read a request of more than {REQUEST} bytes or {PARTS} parts"))
}

/// What is asked for.
fn asked(line: &[u8]) -> Result<Word, Ended> {
    let message = r#"cannot read the request: write one line of JSON, such as {"ask":"status"}"#;
    let request = Request::read(line).ok_or_else(|| Ended::Refused("unreadable", message.to_owned()))?;
    Ok(request.ask)
}

fn say(stream: &UnixStream, answer: &impl Serialize) -> std::io::Result<()> {
    let mut out = BufWriter::new(stream);
    serde_json::to_writer(&mut out, answer)?;
    out.write_all(b"\n")?;
    out.flush()
}

fn done(what: &'static str) -> Accepted {
    Accepted { ask: what.into(), format_version: VERSION, r#type: "accepted".into() }
}

/// Whether the other side has closed the connection. One that has only said everything may still read.
fn is_gone(stream: &UnixStream) -> bool {
    let mut watched = [PollFd::new(stream, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&at_once)).is_ok() && watched[0].revents().contains(PollFlags::HUP)
}
