//! IP networks.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use uphold_model::{Shape, Value};

use super::bounds::list;
use crate::call::{Call, Fault};
use crate::function::Accepts::{Integer, Text};
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "cidrcontains",
        topic: Topic::Networks,
        parameters: &[takes("network", Text), takes("inner", Text)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a network contains an address, or another network as a whole.",
        examples: &[
            example("cidrcontains(\"192.168.2.0/24\", \"192.168.2.7\")", "true"),
            example("cidrcontains(\"192.168.2.0/24\", \"192.168.0.0/16\")", "false"),
        ],
        body: Body::Whole(contains),
    },
    Function {
        name: "cidrhost",
        topic: Topic::Networks,
        parameters: &[takes("network", Text), takes("host", Integer)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the address of a host by its number in a network. A negative number counts from the \
              end.",
        examples: &[
            example("cidrhost(\"10.12.112.0/20\", 16)", "\"10.12.112.16\""),
            example("cidrhost(\"10.12.112.0/20\", -1)", "\"10.12.127.255\""),
            example("cidrhost(\"fd00:fd12:3456:7890::/72\", 34)", "\"fd00:fd12:3456:7890::22\""),
        ],
        body: Body::Whole(host),
    },
    Function {
        name: "cidrnetmask",
        topic: Topic::Networks,
        parameters: &[takes("network", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the netmask of an IPv4 network. IPv6 has none.",
        examples: &[example("cidrnetmask(\"172.16.0.0/12\")", "\"255.240.0.0\"")],
        body: Body::Whole(netmask),
    },
    Function {
        name: "cidrsubnet",
        topic: Topic::Networks,
        parameters: &[takes("network", Text), takes("bits", Integer), takes("number", Integer)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns a subnet of a network: its prefix is this many bits longer, and contains this number in \
              them.",
        examples: &[
            example("cidrsubnet(\"172.16.0.0/12\", 4, 2)", "\"172.18.0.0/16\""),
            example("cidrsubnet(\"fd00:fd12:3456:7890::/56\", 16, 162)", "\"fd00:fd12:3456:7800:a200::/72\""),
        ],
        body: Body::Whole(subnet),
    },
    Function {
        name: "cidrsubnets",
        topic: Topic::Networks,
        parameters: &[takes("network", Text)],
        rest: Some(takes("bits", Integer)),
        gives: Some(Shape::List),
        doc: "Returns consecutive subnets of a network, each with a prefix that is this many bits longer.",
        examples: &[example(
            "cidrsubnets(\"10.1.0.0/16\", 4, 4, 8)",
            "[\"10.1.0.0/20\", \"10.1.16.0/20\", \"10.1.32.0/24\"]",
        )],
        body: Body::Whole(subnets),
    },
];

fn prefix(call: &Call<'_>, index: usize) -> Result<Prefix, Fault> {
    Prefix::parse(call.text(index)?).map_err(|message| Fault::at(index, message))
}

fn contains(call: &Call<'_>) -> Result<Value, Fault> {
    let outer = prefix(call, 0)?;
    let inner = match address_bits(call.text(1)?) {
        Some((bits, width)) => Prefix { bits, length: width, width },
        None => prefix(call, 1)?,
    };
    if outer.width != inner.width {
        return Err(Fault::at(1, "IPv4 and IPv6 cannot be compared"));
    }
    Ok(Value::Bool(outer.contains(inner)))
}

fn host(call: &Call<'_>) -> Result<Value, Fault> {
    let (network, number) = (prefix(call, 0)?, call.int(1)?);
    let last = low_bits(network.host_bits());
    // -1 is the last host, so the distance from the end is the magnitude minus one.
    let distance = u128::from(if number < 0 { number.unsigned_abs() - 1 } else { number.unsigned_abs() });
    if distance > last {
        return Err(Fault::at(1, format!("{network} has no host {number}")));
    }
    let host = if number < 0 { last - distance } else { distance };
    Ok(Value::text(network.address(host).to_string()))
}

fn netmask(call: &Call<'_>) -> Result<Value, Fault> {
    let network = prefix(call, 0)?;
    if network.width != 32 {
        return Err(Fault::at(0, "IPv6 networks have no mask"));
    }
    Ok(Value::text(address(low_bits(32) & !low_bits(network.host_bits()), 32).to_string()))
}

/// The prefix length of a subnet of `network`.
fn longer(call: &Call<'_>, network: Prefix, index: usize) -> Result<u32, Fault> {
    let bits = call.count(index)?;
    let length = u32::try_from(bits).ok().filter(|bits| *bits <= network.host_bits());
    let length = length.map(|bits| network.length + bits);
    length.ok_or_else(|| Fault::at(index, format!("{network} has only {} bits left", network.host_bits())))
}

fn subnet(call: &Call<'_>) -> Result<Value, Fault> {
    let (network, number) = (prefix(call, 0)?, call.count(2)? as u128);
    let length = longer(call, network, 1)?;
    if number > low_bits(length - network.length) {
        let message = format!("{} bits are too few for the number {number}", length - network.length);
        return Err(Fault::at(2, message));
    }
    let bits = network.bits | number.checked_shl(network.width - length).unwrap_or(0);
    Ok(Value::text(Prefix { bits, length, ..network }.to_string()))
}

fn subnets(call: &Call<'_>) -> Result<Value, Fault> {
    let network = prefix(call, 0)?;
    let mut next = Some(network.bits);
    list((1..call.arguments.len()).map(|index| {
        let length = longer(call, network, index)?;
        let full = || Fault::at(index, format!("there is no room left in {network}"));
        let host_bits = network.width - length;
        // The next multiple of its own size.
        let start = next.and_then(|next| next.checked_add(low_bits(host_bits))).ok_or_else(full)?;
        let part = Prefix { bits: start & !low_bits(host_bits), length, ..network };
        if !network.contains(part) {
            return Err(full());
        }
        next = 1_u128.checked_shl(host_bits).and_then(|size| part.bits.checked_add(size));
        Ok(Value::text(part.to_string()))
    }))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_read_strictly() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Prefix::parse(text).map(|p| p.to_string()).unwrap_or_default(), expected, "{text}");
        };
        check("10.1.2.3/8", "10.0.0.0/8");
        check("0.0.0.0/0", "0.0.0.0/0");
        check("::/0", "::/0");
        check("2001:db8::1/128", "2001:db8::1/128");
        for text in
            ["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "010.0.0.0/8", "::/129", "::/", "::/+1", "a/8", ""]
        {
            check(text, "");
        }
    }
}
