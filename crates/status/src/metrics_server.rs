//! Metrics over HTTP.
//!
//! The server is ours: it answers one request of one kind and closes, which takes a hundred lines. A crate for it would
//! bring a pool of threads, keep-alive and bodies, and no limit on any of them.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Result};

use crate::board::Board;
use crate::exposition::{CONTENT_TYPE, exposition};
use crate::metrics_address::MetricsAddress;
use crate::reception::Reception;

/// How many are answered at a time: there are one or two who scrape.
const CONNECTIONS: usize = 8;

/// How long a request may be, with all its headers.
const REQUEST: usize = 8 << 10;

/// How long to wait for a part of a request, and how many parts it may come in: so nobody stays for ever.
const PATIENCE: Duration = Duration::from_secs(1);
const PARTS: usize = 8;

/// Serves `/metrics`, in threads of its own, until it is dropped. It tells numbers, kinds and reasons, never a
/// resource or a value.
pub struct MetricsServer {
    address: SocketAddr,
    _reception: Reception,
}

/// What comes back.
struct Response {
    status: &'static str,
    content_type: &'static str,
    body: String,
}

impl MetricsServer {
    /// Listens at `address`. `version` is that of the program.
    ///
    /// # Errors
    /// If the address is taken, is not this machine's, or the system refuses.
    pub fn start(address: MetricsAddress, board: Board, version: &'static str) -> Result<Self> {
        let fail = |error: std::io::Error| {
            let error =
                Error::new(ErrorKind::Failed, format!("cannot serve metrics at {address}")).because(error);
            error.hint("say another address: --metrics ADDR")
        };
        let listener = TcpListener::bind(address.socket()).map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let serve = move |connection| serve(&TcpStream::from(connection), &board, version);
        let reception =
            Reception::open("metrics", listener.into(), CONNECTIONS, Box::new(serve), Box::new(refuse));
        Ok(Self { address, _reception: reception.map_err(fail)? })
    }

    /// Where it listens; the port is a real one, also if 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

fn serve(stream: &TcpStream, board: &Board, version: &str) {
    let timeouts = stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
    let Some(head) = timeouts.ok().and_then(|()| request(stream)) else { return };
    let (is_head, response) = respond(&head, board, version);
    // Whoever is gone does not need an answer.
    let _ = send(stream, &response, is_head);
    let _ = stream.shutdown(Shutdown::Both);
}

/// The head of a request; none if there is none.
fn request(mut stream: &TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut part = [0; REQUEST];
    for _ in 0..PARTS {
        let length = stream.read(&mut part).ok().filter(|length| *length > 0)?;
        head.extend_from_slice(&part[..length]);
        if head.windows(4).any(|end| end == b"\r\n\r\n") || head.len() > REQUEST {
            break;
        }
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// Whether only the head of the answer is wanted, and the answer.
fn respond(head: &str, board: &Board, version: &str) -> (bool, Response) {
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, target, protocol) = (words.next(), words.next(), words.next());
    let path = target.and_then(|target| target.split('?').next()).unwrap_or_default();
    let is_complete = head.len() <= REQUEST && head.contains("\r\n\r\n");
    let response = match (method, path, protocol) {
        (_, _, Some("HTTP/1.1" | "HTTP/1.0")) if !is_complete => {
            Response::plain("431 Request Header Fields Too Large")
        }
        (Some("GET" | "HEAD"), "/metrics", Some("HTTP/1.1" | "HTTP/1.0")) => {
            let body = exposition(&board.read(), version);
            Response { status: "200 OK", content_type: CONTENT_TYPE, body }
        }
        (Some("GET" | "HEAD"), _, Some("HTTP/1.1" | "HTTP/1.0")) => Response::plain("404 Not Found"),
        (_, _, Some("HTTP/1.1" | "HTTP/1.0")) => Response::plain("405 Method Not Allowed"),
        _ => Response::plain("400 Bad Request"),
    };
    (method == Some("HEAD"), response)
}

impl Response {
    /// An answer that says what went wrong, and where the metrics are.
    fn plain(status: &'static str) -> Self {
        let body = format!("{status}\nThe metrics are at /metrics.\n");
        Self { status, content_type: "text/plain; charset=utf-8", body }
    }
}

fn send(mut stream: &TcpStream, response: &Response, is_head: bool) -> std::io::Result<()> {
    let Response { status, content_type, body } = response;
    let allow = if status.starts_with("405") { "Allow: GET, HEAD\r\n" } else { "" };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{allow}Connection: close\r\n\r\n"
    );
    let text = if is_head { head } else { head + body };
    stream.write_all(text.as_bytes())
}

/// Answers that too many are there, when the request was read: a connection with unread bytes is reset, and its answer lost.
fn refuse(connection: OwnedFd) {
    let stream = TcpStream::from(connection);
    let timeouts = stream.set_read_timeout(Some(PATIENCE)).and(stream.set_write_timeout(Some(PATIENCE)));
    if timeouts.ok().and_then(|()| request(&stream)).is_some() {
        // Whoever left meanwhile needs no answer.
        let _ = send(&stream, &Response::plain("503 Service Unavailable"), false);
    }
}
