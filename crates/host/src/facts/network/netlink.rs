//! Requests to the kernel about its networks, through a netlink socket.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use uphold_resource::{Error, Result};

use super::message::Bytes;

/// A request: its message type, with the length of its fixed part.
#[derive(Clone, Copy)]
pub(super) struct Request {
    kind: u16,
    fixed: usize,
}

/// All interfaces.
pub(super) const LINKS: Request = Request { kind: 18, fixed: 16 };
/// All addresses.
pub(super) const ADDRESSES: Request = Request { kind: 22, fixed: 8 };
/// All routes.
pub(super) const ROUTES: Request = Request { kind: 26, fixed: 12 };

/// The length of a message's header.
const HEADER: usize = 16;
/// `NLM_F_REQUEST | NLM_F_DUMP`: all entries.
const REQUEST_ALL: u16 = 0x301;
/// `NLM_F_DUMP_INTR`: something changed during the answer.
const INTERRUPTED: u16 = 0x10;
/// `NLMSG_ERROR`.
const ERROR: u16 = 2;
/// `NLMSG_DONE`.
const DONE: u16 = 3;
/// The kernel never sends more at once.
const LARGEST_ANSWER: usize = 64 * 1024;
/// How many times a request is repeated when something changed during the answer.
const ATTEMPTS: usize = 8;

/// Sends a request, and collects the entries that `decode` returns.
pub(super) fn ask<T>(request: Request, decode: impl Fn(Bytes<'_>) -> Option<T>) -> Result<Vec<T>> {
    let fail = |errno: Errno| Error::failed("cannot read the networks from the kernel").because(errno);
    for _ in 0..ATTEMPTS {
        if let Some(found) = attempt(request, &decode).map_err(fail)? {
            return Ok(found);
        }
    }
    Err(Error::failed("the networks change faster than they can be read"))
}

/// Sends a request once; `None` if the answer may be inconsistent.
fn attempt<T>(
    request: Request,
    decode: impl Fn(Bytes<'_>) -> Option<T>,
) -> rustix::io::Result<Option<Vec<T>>> {
    let socket = send(request)?;
    let mut buffer = vec![0; LARGEST_ANSWER];
    let (mut found, mut consistent) = (Vec::new(), true);
    loop {
        let (length, _) = match rustix::net::recv(&socket, buffer.as_mut_slice(), RecvFlags::empty()) {
            Err(Errno::INTR) => continue,
            other => other?,
        };
        let mut rest = Bytes(&buffer[..length]);
        if length == 0 {
            return Err(Errno::CONNRESET);
        }
        while let Some((kind, flags, body)) = next_message(&mut rest) {
            consistent &= flags & INTERRUPTED == 0;
            match kind {
                DONE => return Ok(consistent.then_some(found)),
                ERROR => return Err(errno(body)),
                _ => found.extend(decode(body)),
            }
        }
    }
}

fn send(request: Request) -> rustix::io::Result<OwnedFd> {
    // The default protocol is 0, NETLINK_ROUTE.
    let flags = SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
    let length = HEADER + request.fixed;
    let mut bytes = vec![0; length];
    bytes[..4].copy_from_slice(&u32::try_from(length).unwrap_or(0).to_ne_bytes());
    bytes[4..6].copy_from_slice(&request.kind.to_ne_bytes());
    bytes[6..8].copy_from_slice(&REQUEST_ALL.to_ne_bytes());
    rustix::net::send(&socket, &bytes, SendFlags::empty())?;
    Ok(socket)
}

/// Takes the next message from `rest`: its type, flags and body.
pub(super) fn next_message<'a>(rest: &mut Bytes<'a>) -> Option<(u16, u16, Bytes<'a>)> {
    let whole = rest.take_aligned(rest.u32(0)?)?;
    Some((whole.u16(4)?, whole.u16(6)?, whole.after(HEADER)?))
}

/// The error number of a message, which is negative.
fn errno(body: Bytes<'_>) -> Errno {
    let number = body.u32(0).and_then(|number| i32::try_from(number.wrapping_neg()).ok());
    number.map_or(Errno::PROTO, Errno::from_raw_os_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_messages_and_stops_at_invalid_ones() {
        let header = |length: u32, kind: u16| {
            let mut bytes = length.to_ne_bytes().to_vec();
            bytes.extend(kind.to_ne_bytes());
            bytes.extend([0; 10]);
            bytes
        };
        let mut bytes = header(18, 20);
        bytes.extend([7, 8, 0, 0]);
        bytes.extend(header(16, DONE));
        let mut rest = Bytes(&bytes);
        let (kind, _, body) = next_message(&mut rest).unwrap();
        assert_eq!((kind, body.0), (20, [7, 8].as_slice()));
        assert_eq!(next_message(&mut rest).map(|(kind, _, _)| kind), Some(DONE));
        assert!(next_message(&mut rest).is_none());
        for length in [0, 3, 15, 17, u32::MAX] {
            assert!(next_message(&mut Bytes(&header(length, 20))).is_none(), "{length}");
        }
    }

    #[test]
    fn reads_error_numbers() {
        let check = |number: i32, expected| assert_eq!(errno(Bytes(&number.to_ne_bytes())), expected);
        check(-1, Errno::PERM);
        check(-95, Errno::OPNOTSUPP);
        assert_eq!(errno(Bytes(&[])), Errno::PROTO);
    }
}
