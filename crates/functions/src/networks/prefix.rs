//! A network: an address and a prefix length.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network. The host bits are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    /// The bits of the address, right-aligned.
    pub(super) bits: u128,
    /// The prefix length.
    pub(super) length: u32,
    /// The number of bits of an address: 32 or 128.
    pub(super) width: u32,
}

impl Prefix {
    /// Parses `10.0.0.0/8` or `2001:db8::/32`. Host bits are cleared, as in Terraform.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a network such as \"10.0.0.0/8\"");
        let (address, length) = text.split_once('/').ok_or_else(wrong)?;
        let (bits, width) = address_bits(address).ok_or_else(wrong)?;
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let length: u32 = length.parse().map_err(|_| wrong())?;
        if length > width {
            return Err(format!("{text:?} has more than {width} bits"));
        }
        Ok(Self { bits: bits & !low_bits(width - length), length, width })
    }

    /// The number of host bits.
    pub(super) fn host_bits(self) -> u32 {
        self.width - self.length
    }

    /// An address in the network.
    pub(super) fn address(self, host: u128) -> IpAddr {
        address(self.bits | host, self.width)
    }

    /// Whether it contains `other` as a whole.
    pub(super) fn contains(self, other: Self) -> bool {
        self.width == other.width
            && self.length <= other.length
            && other.bits & !low_bits(self.host_bits()) == self.bits
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address(0), self.length)
    }
}

/// A number with this many low bits set.
pub(super) fn low_bits(count: u32) -> u128 {
    1_u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}

/// The bits of an address, and their number.
pub(super) fn address_bits(text: &str) -> Option<(u128, u32)> {
    match text.parse().ok()? {
        IpAddr::V4(v4) => Some((u128::from(v4.to_bits()), 32)),
        IpAddr::V6(v6) => Some((v6.to_bits(), 128)),
    }
}

/// The address of these bits.
pub(super) fn address(bits: u128, width: u32) -> IpAddr {
    match width {
        32 => Ipv4Addr::from_bits(u32::try_from(bits & low_bits(32)).unwrap_or(0)).into(),
        _ => Ipv6Addr::from_bits(bits).into(),
    }
}
