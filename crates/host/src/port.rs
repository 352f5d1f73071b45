//! Asking whether a port is open.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use uphold_resource::{Error, ErrorKind, Result};

/// The shortest time to wait for an answer: the system takes no zero, and a port of this machine
/// answers within it.
const SHORTEST: Duration = Duration::from_millis(1);

/// Whether something accepts connections at `port` of `host`, on any of its addresses.
///
/// Waits for answers no longer than `patience`, of which each address that is left gets an equal
/// share. How long it takes to look a name up is up to the system's resolver.
///
/// # Errors
/// [`ErrorKind::Missing`] for a name that nobody knows; and what the system says if no address could
/// be tried at all.
pub(crate) fn listens(host: &str, port: u16, patience: Duration) -> Result<bool> {
    let addresses = addresses(host, port)?;
    let started = Instant::now();
    let mut trouble = None;
    let mut answered = false;
    for (left, address) in (1..=addresses.len()).rev().zip(&addresses) {
        let share = patience.saturating_sub(started.elapsed()) / u32::try_from(left).unwrap_or(u32::MAX);
        match TcpStream::connect_timeout(address, share.max(SHORTEST)) {
            Ok(stream) if meets_itself(&stream) => answered = true,
            Ok(_) => return Ok(true),
            Err(error) if is_no(error.kind()) => answered = true,
            Err(error) => trouble = Some(error),
        }
    }
    match trouble {
        Some(error) if !answered => Err(cannot_ask(ErrorKind::Failed, host, port, error)),
        _ => Ok(false),
    }
}

/// A connection to a free port may get that very port at its own end: then it is connected to itself.
fn meets_itself(stream: &TcpStream) -> bool {
    stream.local_addr().ok().is_some_and(|own| stream.peer_addr().is_ok_and(|other| own == other))
}

fn addresses(host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    // A number in brackets is how URLs write an IPv6 address.
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let found = (bare, port).to_socket_addrs().map(Vec::from_iter);
    match found {
        Ok(addresses) if !addresses.is_empty() => Ok(addresses),
        Ok(_) => Err(unknown(host, port, io::ErrorKind::NotFound.into())),
        Err(error) => Err(unknown(host, port, error)),
    }
}

/// Whether it says that nothing listens there, now, as far as this machine can reach.
fn is_no(kind: io::ErrorKind) -> bool {
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
    cannot_ask(ErrorKind::Missing, host, port, error).hint("check its name, or give its address")
}

fn cannot_ask(kind: ErrorKind, host: &str, port: u16, error: io::Error) -> Error {
    Error::new(kind, format!("cannot ask {host} whether port {port} is open")).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Long enough for this machine to answer, whatever else it does.
    const PATIENCE: Duration = Duration::from_secs(5);

    #[test]
    fn a_port_is_open_while_somebody_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        for host in ["127.0.0.1", "localhost"] {
            assert!(listens(host, port, PATIENCE).unwrap(), "{host}");
        }
        assert!(listens("127.0.0.1", port, Duration::ZERO).unwrap(), "it answers at once");
        drop(listener);
        for host in ["127.0.0.1", "localhost", "[::1]", "::1"] {
            assert!(!listens(host, port, PATIENCE).unwrap_or(false), "{host}");
        }
        assert!(!listens("127.0.0.1", port, Duration::MAX).unwrap());
    }

    #[test]
    fn a_name_that_nobody_knows_is_missing() {
        let error = listens("no-such-host.invalid", 80, PATIENCE).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Missing, "{}", error.chain());
        assert!(error.to_string().starts_with("cannot ask no-such-host.invalid whether"), "{error}");
    }

    #[test]
    fn silence_takes_no_longer_than_the_patience() {
        // An address for documentation: nobody answers, or the system says at once that no way leads there.
        let started = Instant::now();
        let answer = listens("192.0.2.1", 9, Duration::from_millis(200));
        assert!(!answer.unwrap_or(false));
        assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    }
}
