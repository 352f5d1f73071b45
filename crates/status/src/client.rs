//! The client of a running watch.

use std::io::{BufRead, BufReader, ErrorKind as IoKind, Lines, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Result};
use uphold_wire::ReadError;
use uphold_wire::status::{Refused, Request, Snapshot};

use crate::socket::is_trusted;

/// The timeout of an answer: the watch only copies its status.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A request to a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The full status.
    Status,
    /// The overview.
    Overview,
    /// The full status, then all events.
    Follow,
    /// Reload the configuration.
    Reload,
    /// Check every resource now.
    Recheck,
}

impl Ask {
    fn word(self) -> &'static str {
        match self {
            Ask::Status => "status",
            Ask::Overview => "overview",
            Ask::Follow => "follow",
            Ask::Reload => "reload",
            Ask::Recheck => "recheck",
        }
    }
}

/// The answer of a watch: lines of JSON.
pub struct Answer {
    path: PathBuf,
    lines: Lines<BufReader<UnixStream>>,
}

impl Answer {
    /// Sends a request to the watch that listens at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] if none does; if it belongs to another user, or does not answer.
    pub fn to(ask: Ask, path: &Path) -> Result<Self> {
        let mut stream = UnixStream::connect(path).map_err(|error| match error.kind() {
            IoKind::NotFound | IoKind::ConnectionRefused => not_running(path),
            _ => Error::io("ask the watch at", path, error),
        })?;
        if !is_trusted(&stream) {
            let what = format!("cannot ask the watch at {}: it belongs to another user", path.display());
            return Err(Error::new(ErrorKind::Denied, what));
        }
        let fail = |error| Error::io("ask the watch at", path, error);
        let timeout = (ask != Ask::Follow).then_some(TIMEOUT);
        stream.set_read_timeout(timeout).map_err(fail)?;
        let request = Request { request: ask.word().into() };
        writeln!(stream, "{}", uphold_wire::line(&request)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), lines: BufReader::new(stream).lines() })
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// If the connection failed, or the watch refused the request.
    pub fn line(&mut self) -> Result<Option<String>> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = line.map_err(|error| Error::io("ask the watch at", &self.path, error))?;
        // Only a short line can be an error; longer ones are not parsed twice.
        match Some(&line).filter(|line| line.len() < 1_024).and_then(|line| Refused::read(line)) {
            Some(refused) => Err(Error::new(ErrorKind::Rejected, refused.message)),
            None => Ok(Some(line)),
        }
    }

    /// The next line as a snapshot.
    ///
    /// # Errors
    /// If there is none, or its version is not supported.
    pub fn snapshot(&mut self) -> Result<Snapshot> {
        read_snapshot(&self.needed()?)
    }

    /// The next line, which is required.
    ///
    /// # Errors
    /// If the watch ended, or refused the request.
    pub fn needed(&mut self) -> Result<String> {
        self.line()?.ok_or_else(|| {
            let path = self.path.display();
            Error::failed(format!("cannot ask the watch at {path}: it ended before it answered"))
        })
    }
}

/// Parses a snapshot from a line of an [`Answer`]; of an overview, without resources.
///
/// # Errors
/// If the version of the watch is not supported, or it is no answer.
pub fn read_snapshot(line: &str) -> Result<Snapshot> {
    Snapshot::from_line(line).map_err(|error| {
        let what = match error {
            ReadError::OtherVersion { .. } => error.to_string(),
            ReadError::Malformed { .. } => "cannot read the answer of the watch".to_owned(),
        };
        let error = Error::new(ErrorKind::Unsupported, what);
        error.hint("use the Uphold version of the watch, or --json")
    })
}

fn not_running(path: &Path) -> Error {
    let what = format!("cannot ask the watch at {}: no watch is running there", path.display());
    Error::new(ErrorKind::Missing, what)
        .hint("start one with `uphold watch`, or name its socket: --socket PATH")
}
