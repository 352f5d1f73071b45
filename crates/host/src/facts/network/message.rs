//! Decoding of netlink messages. No length in a message is trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use uphold_resource::{Error, Result};

/// `AF_INET`.
pub(super) const IPV4: u8 = 2;
/// `AF_INET6`.
pub(super) const IPV6: u8 = 10;

/// The alignment of messages and attributes.
const ALIGNMENT: usize = 4;
/// The length of an attribute's header.
const ATTRIBUTE_HEADER: usize = 4;
/// The upper bits of an attribute's type are flags.
const ATTRIBUTE_TYPE: u16 = 0x3fff;

/// A part of a message.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn u8(self, offset: usize) -> Option<u8> {
        self.0.get(offset).copied()
    }

    pub(super) fn u16(self, offset: usize) -> Option<u16> {
        self.array(offset).map(u16::from_ne_bytes)
    }

    pub(super) fn u32(self, offset: usize) -> Option<u32> {
        self.array(offset).map(u32::from_ne_bytes)
    }

    fn array<const N: usize>(self, offset: usize) -> Option<[u8; N]> {
        self.0.get(offset..)?.first_chunk().copied()
    }

    pub(super) fn after(self, offset: usize) -> Option<Self> {
        self.0.get(offset..).map(Self)
    }

    /// Takes the first `length` bytes and their padding.
    pub(super) fn take_aligned(&mut self, length: impl TryInto<usize>) -> Option<Self> {
        let length = length.try_into().ok().filter(|length| *length > 0)?;
        let taken = self.0.get(..length)?;
        let next = length.checked_next_multiple_of(ALIGNMENT)?.min(self.0.len());
        self.0 = &self.0[next..];
        Some(Self(taken))
    }

    /// The value of the first attribute of this type.
    pub(super) fn attribute(mut self, kind: u16) -> Option<Bytes<'a>> {
        loop {
            let attribute = self.take_aligned(self.u16(0)?)?;
            if attribute.u16(2)? & ATTRIBUTE_TYPE == kind {
                return attribute.after(ATTRIBUTE_HEADER);
            }
        }
    }

    /// The bytes as an IP address.
    pub(super) fn address(self) -> Option<IpAddr> {
        match self.0.len() {
            4 => self.array::<4>(0).map(|bytes| Ipv4Addr::from(bytes).into()),
            16 => self.array::<16>(0).map(|bytes| Ipv6Addr::from(bytes).into()),
            _ => None,
        }
    }
}

// Requests to the kernel about its networks, through a netlink socket.

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
    fn finds_attributes() {
        let mut bytes = Vec::new();
        for (length, kind, value) in [(5_u16, 3_u16, [b'x', 0, 0, 0]), (8, 0x8004, [1, 2, 3, 4])] {
            bytes.extend(length.to_ne_bytes());
            bytes.extend(kind.to_ne_bytes());
            bytes.extend(value);
        }
        let row = Bytes(&bytes);
        assert_eq!(row.attribute(3).map(|value| value.0), Some(b"x".as_slice()));
        let address = row.attribute(4).and_then(Bytes::address);
        assert_eq!(address, Some(Ipv4Addr::new(1, 2, 3, 4).into()));
        assert!(row.attribute(5).is_none());
    }

    /// Every prefix of a message is read without a panic or an endless loop.
    #[test]
    fn invalid_attributes_end_the_search() {
        let check = |bytes: &[u8]| assert!(Bytes(bytes).attribute(9).is_none(), "{bytes:?}");
        check(&[]);
        check(&[0, 0, 0, 0]);
        check(&[1, 0]);
        check(&[3, 0, 9, 0]);
        check(&[255, 255, 9, 0]);
    }
}

#[cfg(test)]
mod netlink_tests {
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
