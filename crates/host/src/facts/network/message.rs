//! Decoding of netlink messages. No length in a message is trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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
