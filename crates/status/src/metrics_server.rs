//! The HTTP server of the metrics.
//!
//! It answers one kind of request and closes. An HTTP crate would bring a thread pool, keep-alive and request bodies,
//! without limits on any of them.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Result};

use crate::acceptor::Acceptor;
use crate::metrics::{CONTENT_TYPE, exposition};
use crate::model::StatusModel;

/// The most concurrent connections: there are one or two scrapers.
const CONNECTIONS: usize = 8;

/// The longest request in bytes, with its headers.
const REQUEST: usize = 8 << 10;

/// The timeout of a read, and the most reads of a request: no connection stays forever.
const TIMEOUT: Duration = Duration::from_secs(1);
const PARTS: usize = 8;

/// Serves `/metrics` in threads of its own, until it is dropped. Metrics contain numbers, kinds and reasons, never a
/// resource or a value.
pub struct MetricsServer {
    address: SocketAddr,
    _acceptor: Acceptor,
}

struct Response {
    status: &'static str,
    content_type: &'static str,
    body: String,
}

impl MetricsServer {
    /// Listens on `address`. `version` is the version of the program.
    ///
    /// # Errors
    /// If the address is in use or not local, or the system refuses.
    pub fn start(address: SocketAddr, board: StatusModel, version: &'static str) -> Result<Self> {
        let fail = |error: std::io::Error| {
            let error =
                Error::new(ErrorKind::Failed, format!("cannot serve metrics at {address}")).because(error);
            error.hint("use another address: --metrics ADDR")
        };
        let listener = TcpListener::bind(address).map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let serve = move |connection: OwnedFd, is_refused| {
            serve(&connection.into(), |head| {
                let refusal = || (false, Response::plain("503 Service Unavailable"));
                if is_refused { refusal() } else { respond(head, &board, version) }
            });
        };
        let acceptor = Acceptor::start("metrics", listener.into(), CONNECTIONS, Box::new(serve));
        Ok(Self { address, _acceptor: acceptor.map_err(fail)? })
    }

    /// The address that it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Reads a request and answers it, also a refused one: closing with unread bytes would reset the connection.
fn serve(stream: &TcpStream, respond: impl Fn(&str) -> (bool, Response)) {
    let timeouts = stream.set_read_timeout(Some(TIMEOUT)).and(stream.set_write_timeout(Some(TIMEOUT)));
    let Some(head) = timeouts.ok().and_then(|()| request(stream)) else { return };
    let (is_head, response) = respond(&head);
    // The client may have disconnected.
    let _ = send(stream, &response, is_head);
    let _ = stream.shutdown(Shutdown::Both);
}

/// The head of a request; none if the connection closed.
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

/// Whether the request is `HEAD`, and the response.
fn respond(head: &str, board: &StatusModel, version: &str) -> (bool, Response) {
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
    /// An error, with the path of the metrics.
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

/// Parses the address of the metrics server: `9464` is on the loopback interface, `10.0.0.5:9464` or `[::]:9464` on
/// others. Only IP addresses and `localhost` are accepted, so that DNS cannot open it to the network.
///
/// # Errors
/// If it is no such address.
pub fn metrics_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    // `u16` would accept a sign.
    if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
        let port: u16 = port.parse().map_err(|_| format!("{port} is no port: the highest is 65535"))?;
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let wrong = "write a port, or an address and a port: 9464, 127.0.0.1:9464, [::1]:9464";
    text.parse().map_err(|_| wrong.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_port_is_local() {
        let check = |text: &str, expected: Option<&str>| {
            let address = metrics_address(text).ok().map(|address| address.to_string());
            assert_eq!(address.as_deref(), expected, "{text}");
        };
        check("9464", Some("127.0.0.1:9464"));
        check("localhost:9464", Some("127.0.0.1:9464"));
        check("0.0.0.0:9464", Some("0.0.0.0:9464"));
        check("[::1]:80", Some("[::1]:80"));
        for wrong in ["", "x", "+80", "65536", ":80", "localhost:", "example.org:80", "1.2.3.4", "::1:80 "] {
            check(wrong, None);
        }
    }
}
