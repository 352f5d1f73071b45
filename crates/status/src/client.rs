//! Asking a running watch.

use std::io::{BufRead, BufReader, ErrorKind as IoKind, Lines, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Result};
use uphold_wire::ReadError;
use uphold_wire::status::{Refused, Request, Snapshot};

use crate::peer;

/// How long a watch may take to answer: it only copies what it knows.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a watch can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Everything that it knows.
    Status,
    /// The same in short.
    Overview,
    /// Everything that it knows, and then what happens.
    Follow,
    /// Read the configuration again.
    Reload,
    /// Look at everything now.
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
    /// Asks the watch that listens at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] if none does; if it is somebody else's, or does not answer.
    pub fn to(ask: Ask, path: &Path) -> Result<Self> {
        let mut stream = UnixStream::connect(path).map_err(|error| match error.kind() {
            IoKind::NotFound | IoKind::ConnectionRefused => nobody(path),
            _ => Error::io("ask the watch at", path, error),
        })?;
        if !peer::is_trusted(&stream) {
            return Err(stranger(path));
        }
        let fail = |error| Error::io("ask the watch at", path, error);
        let patience = (ask != Ask::Follow).then_some(PATIENCE);
        stream.set_read_timeout(patience).map_err(fail)?;
        let request = Request { ask: ask.word().into() };
        writeln!(stream, "{}", uphold_wire::line(&request)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), lines: BufReader::new(stream).lines() })
    }

    /// The next line as it came; none if that was all.
    ///
    /// # Errors
    /// If the connection broke, or the watch refused.
    pub fn line(&mut self) -> Result<Option<String>> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = line.map_err(|error| Error::io("ask the watch at", &self.path, error))?;
        // Only a short line can be a refusal; the others are not worth reading twice.
        match Some(&line).filter(|line| line.len() < 1_024).and_then(|line| Refused::read(line)) {
            Some(refused) => Err(Error::new(ErrorKind::Rejected, refused.message)),
            None => Ok(Some(line)),
        }
    }

    /// The next line as a snapshot.
    ///
    /// # Errors
    /// If there is none, or if it is of a version that is not understood.
    pub fn snapshot(&mut self) -> Result<Snapshot> {
        read_snapshot(&self.needed()?)
    }

    /// The next line, which has to be there.
    ///
    /// # Errors
    /// If the watch ended, or refused.
    pub fn needed(&mut self) -> Result<String> {
        self.line()?.ok_or_else(|| {
            let path = self.path.display();
            Error::failed(format!("cannot ask the watch at {path}: it ended before it had answered"))
        })
    }
}

/// A snapshot from the line of an [`Answer`]; of an overview, without resources.
///
/// # Errors
/// If the watch has another version, or it is no answer.
pub fn read_snapshot(line: &str) -> Result<Snapshot> {
    Snapshot::from_line(line).map_err(|error| {
        let what = match error {
            ReadError::OtherVersion { .. } => error.to_string(),
            ReadError::Malformed { .. } => {
                "the answer of the watch is not what this version understands".to_owned()
            }
        };
        let error = Error::new(ErrorKind::Unsupported, what);
        error.hint("use the version of uphold that the watch has, or --json")
    })
}

fn nobody(path: &Path) -> Error {
    let what = format!("cannot ask the watch at {}: no watch is running there", path.display());
    Error::new(ErrorKind::Missing, what)
        .hint("start one: uphold watch; or say where it listens: --socket PATH")
}

fn stranger(path: &Path) -> Error {
    let what = format!("cannot ask the watch at {}: it is neither yours nor root's", path.display());
    Error::new(ErrorKind::Denied, what)
}
