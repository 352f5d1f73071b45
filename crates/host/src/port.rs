//! Checks of TCP ports.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use uphold_resource::{Error, ErrorKind, Result};

/// The shortest timeout: the system accepts no zero, and a port of this machine answers within it.
const SHORTEST: Duration = Duration::from_millis(1);

/// Whether something accepts connections at `port` of `host`, on any of its addresses.
///
/// Waits at most `timeout`, of which each remaining address gets an equal share. The time to resolve a name depends on the
/// system's resolver.
///
/// # Errors
/// [`ErrorKind::Missing`] for a name that cannot be resolved; the system's error if no address could be tried at all.
pub(crate) fn listens(host: &str, port: u16, timeout: Duration) -> Result<bool> {
    let addresses = addresses(host, port)?;
    let started = Instant::now();
    let mut failure = None;
    let mut answered = false;
    for (left, address) in (1..=addresses.len()).rev().zip(&addresses) {
        let share = timeout.saturating_sub(started.elapsed()) / u32::try_from(left).unwrap_or(u32::MAX);
        match TcpStream::connect_timeout(address, share.max(SHORTEST)) {
            Ok(stream) if is_own_connection(&stream) => answered = true,
            Ok(_) => return Ok(true),
            Err(error) if means_closed(error.kind()) => answered = true,
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) if !answered => Err(cannot_check(ErrorKind::Failed, host, port, error)),
        _ => Ok(false),
    }
}

/// Whether a connection is connected to itself: a connection to a free port may get that very port at its own end.
fn is_own_connection(stream: &TcpStream) -> bool {
    stream.local_addr().ok().is_some_and(|own| stream.peer_addr().is_ok_and(|other| own == other))
}

fn addresses(host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    // URLs write an IPv6 address in brackets.
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let found = (bare, port).to_socket_addrs().map(Vec::from_iter);
    match found {
        Ok(addresses) if !addresses.is_empty() => Ok(addresses),
        Ok(_) => Err(unknown(host, port, io::ErrorKind::NotFound.into())),
        Err(error) => Err(unknown(host, port, error)),
    }
}

/// Whether an error means that nothing listens there now, as far as this machine can reach.
fn means_closed(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable,
        NetworkDown, NetworkUnreachable, TimedOut, WouldBlock,
    };
    matches!(
        kind,
        ConnectionRefused
            | ConnectionReset
            | ConnectionAborted
            | TimedOut
            | WouldBlock
            | HostUnreachable
            | NetworkUnreachable
            | NetworkDown
            | AddrNotAvailable
    )
}

fn unknown(host: &str, port: u16, error: io::Error) -> Error {
    cannot_check(ErrorKind::Missing, host, port, error).hint("check its name, or give its address")
}

fn cannot_check(kind: ErrorKind, host: &str, port: u16, error: io::Error) -> Error {
    Error::new(kind, format!("cannot check whether port {port} of {host} is open")).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Long enough for this machine to answer under load.
    const TIMEOUT: Duration = Duration::from_secs(5);

    #[test]
    fn a_port_is_open_while_a_process_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        for host in ["127.0.0.1", "localhost"] {
            assert!(listens(host, port, TIMEOUT).unwrap(), "{host}");
        }
        assert!(listens("127.0.0.1", port, Duration::ZERO).unwrap(), "it answers immediately");
        drop(listener);
        for host in ["127.0.0.1", "localhost", "[::1]", "::1"] {
            assert!(!listens(host, port, TIMEOUT).unwrap_or(false), "{host}");
        }
        assert!(!listens("127.0.0.1", port, Duration::MAX).unwrap());
    }

    #[test]
    fn an_unknown_name_is_missing() {
        let error = listens("no-such-host.invalid", 80, TIMEOUT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Missing, "{}", error.chain());
        assert!(
            error.to_string().starts_with("cannot check whether port 80 of no-such-host.invalid"),
            "{error}"
        );
    }

    #[test]
    fn silence_takes_no_longer_than_the_timeout() {
        // An address for documentation: it never answers, or the system reports at once that no route leads there.
        let started = Instant::now();
        let answer = listens("192.0.2.1", 9, Duration::from_millis(200));
        assert!(!answer.unwrap_or(false));
        assert!(started.elapsed() < TIMEOUT, "{:?}", started.elapsed());
    }
}
