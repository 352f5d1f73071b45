//! JSON-RPC messages over a pipe.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use gen_lsp_types::ErrorCodes;
use gen_lsp_types::json_rpc::Error as RpcError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// The largest message in bytes: larger than any file that an editor opens.
const LARGEST: usize = 256 << 20;

/// The most bytes of headers.
const LONGEST_HEAD: usize = 16 << 10;

/// An error response.
pub(crate) fn rpc_error(code: ErrorCodes, message: impl Into<String>) -> RpcError {
    RpcError { code, message: message.into(), data: None }
}

/// The parameters of a method.
pub(crate) fn params<'j, T: Deserialize<'j>>(parameters: &'j Json) -> Result<T, RpcError> {
    let invalid =
        |error| rpc_error(ErrorCodes::InvalidParams, format!("the parameters are invalid: {error}"));
    T::deserialize(parameters).map_err(invalid)
}

/// A message from the editor.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    Request {
        id: Json,
        method: String,
        parameters: Json,
    },
    Notification {
        method: String,
        parameters: Json,
    },
    /// The response to a request of the server.
    Response,
    /// An invalid message; the id is null if it has none.
    Malformed {
        id: Json,
        error: RpcError,
    },
}

impl Message {
    /// Parses the content of a message.
    pub(crate) fn read(content: &[u8]) -> Self {
        let malformed = |id, code, message| Self::Malformed { id, error: rpc_error(code, message) };
        let mut json = match serde_json::from_slice(content) {
            Ok(Json::Object(json)) => json,
            Ok(_) => {
                let message = "a message must be a JSON object".to_owned();
                return malformed(Json::Null, ErrorCodes::InvalidRequest, message);
            }
            Err(error) => {
                let message = format!("the message is not JSON: {error}");
                return malformed(Json::Null, ErrorCodes::ParseError, message);
            }
        };
        let is_id = |id: &Json| id.is_string() || id.is_number();
        let id = json.remove("id");
        let parameters = json.remove("params").unwrap_or_default();
        match (id, json.remove("method")) {
            (Some(id), Some(Json::String(method))) if is_id(&id) => Self::Request { id, method, parameters },
            (None, Some(Json::String(method))) => Self::Notification { method, parameters },
            (Some(_), None) if json.contains_key("result") || json.contains_key("error") => Self::Response,
            (id, _) => {
                let message =
                    "a request needs a `method`, and an `id` that is a string or a number".to_owned();
                malformed(id.filter(is_id).unwrap_or_default(), ErrorCodes::InvalidRequest, message)
            }
        }
    }
}

/// Writes messages to a pipe.
pub(crate) struct Outbox<W> {
    to: W,
    requests: u64,
}

impl<W: Write> Outbox<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, requests: 0 }
    }

    /// Answers a request.
    pub(crate) fn answer(&mut self, id: &Json, answer: Result<Json, RpcError>) -> io::Result<()> {
        match answer {
            Ok(result) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
            Err(error) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error })),
        }
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, parameters: &impl Serialize) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }))
    }

    /// Sends a request whose response is ignored.
    pub(crate) fn request(&mut self, method: &str, parameters: &impl Serialize) -> io::Result<()> {
        self.requests += 1;
        let id = format!("uphold-{}", self.requests);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))
    }

    fn send(&mut self, message: &Json) -> io::Result<()> {
        let content = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{content}", content.len())?;
        self.to.flush()
    }
}

/// Reads messages from a pipe, with a timeout, so that checks can be postponed while the user types.
pub(crate) struct Inbox<F> {
    from: F,
    buffer: Vec<u8>,
}

/// The result of waiting for a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// The content of a message.
    Content(Vec<u8>),
    /// Headers without a length.
    NoLength,
    /// The timeout passed.
    Idle,
    /// The pipe was closed.
    End,
}

impl<F: AsFd> Inbox<F> {
    pub(crate) fn new(from: F) -> Self {
        Self { from, buffer: Vec::new() }
    }

    /// Waits for the next message, at most for `timeout`.
    ///
    /// # Errors
    /// If the pipe cannot be read, or if the input is not a message.
    pub(crate) fn next(&mut self, timeout: Option<Duration>) -> io::Result<Incoming> {
        loop {
            if let Some(incoming) = self.take()? {
                return Ok(incoming);
            }
            if !self.wait(timeout)? {
                return Ok(Incoming::Idle);
            }
            if !self.fill()? {
                return Ok(Incoming::End);
            }
        }
    }

    /// Takes a message that has arrived completely.
    fn take(&mut self) -> io::Result<Option<Incoming>> {
        let head = &self.buffer[..self.buffer.len().min(LONGEST_HEAD)];
        let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") else {
            let is_long = self.buffer.len() >= LONGEST_HEAD;
            return if is_long { Err(invalid("headers have no end")) } else { Ok(None) };
        };
        let start = end + 4;
        let Some(length) = content_length(&self.buffer[..end]) else {
            self.buffer.drain(..start);
            return Ok(Some(Incoming::NoLength));
        };
        if length > LARGEST {
            return Err(invalid("a message is too large"));
        }
        if self.buffer.len() - start < length {
            return Ok(None);
        }
        let rest = self.buffer.split_off(start + length);
        let mut message = std::mem::replace(&mut self.buffer, rest);
        message.drain(..start);
        Ok(Some(Incoming::Content(message)))
    }

    /// Whether input arrives before the timeout.
    fn wait(&self, timeout: Option<Duration>) -> io::Result<bool> {
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        loop {
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], timeout.as_ref()) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Reads the available input; false at the end.
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

fn invalid(why: &str) -> io::Error {
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
    fn messages_are_separated() {
        let check =
            |text: &str, expected: &[&str]| assert_eq!(received(text.as_bytes()), expected, "{text:?}");
        check("", &[]);
        check("Content-Length: 2\r\n\r\nab", &["ab"]);
        check("content-length:1\r\nContent-Type: x\r\n\r\naContent-Length: 1\r\n\r\nb", &["a", "b"]);
        check("Content-Length: 0\r\n\r\n", &[""]);
        check("Content-Length: 5\r\n\r\nab", &[]);
        check("Other: 5\r\n\r\nContent-Length: 1\r\n\r\nb", &["Ok(NoLength)", "b"]);
        check("Content-Length: -1\r\n\r\nContent-Length: 1\r\n\r\nb", &["Ok(NoLength)", "b"]);
    }

    #[test]
    fn invalid_input_is_an_error() {
        let ends = |text: &str| received(text.as_bytes())[0].contains("InvalidData");
        assert!(ends(&"x".repeat(LONGEST_HEAD)));
        assert!(ends("Content-Length: 999999999999\r\n\r\n"));
    }

    #[test]
    fn waiting_ends_at_the_timeout() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut inbox = Inbox::new(reader);
        assert_eq!(inbox.next(Some(Duration::from_millis(1))).ok(), Some(Incoming::Idle));
        drop(writer);
        assert_eq!(inbox.next(Some(Duration::from_secs(60))).ok(), Some(Incoming::End));
    }

    #[test]
    fn messages_are_classified() {
        let check = |text: &str, expected: &str| {
            let shown = match Message::read(text.as_bytes()) {
                Message::Request { id, method, parameters } => format!("{id} {method} {parameters}"),
                Message::Notification { method, parameters } => format!("{method} {parameters}"),
                Message::Response => "response".to_owned(),
                Message::Malformed { id, error } => format!("{id} {}", i32::from(error.code)),
            };
            assert_eq!(shown, expected, "{text}");
        };
        check(r#"{"id":1,"method":"a","params":{}}"#, "1 a {}");
        check(r#"{"id":"x","method":"a"}"#, "\"x\" a null");
        check(r#"{"method":"a","params":[1]}"#, "a [1]");
        check(r#"{"id":1,"result":null}"#, "response");
        check(r#"{"id":1}"#, "1 -32600");
        check(r#"{"id":[],"method":"a"}"#, "null -32600");
        check(r#"{"method":5}"#, "null -32600");
        check("[]", "null -32600");
        check("{", "null -32700");
        check("\u{0}", "null -32700");
    }
}
