//! IP addresses, with and without a prefix length.

use std::fmt;
use std::net::IpAddr;

use uphold_resource::{Claim, Context, Problem, Property, Type, Value};

/// An IP address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(pub IpAddr);

impl Property for Address {
    const TYPE: &'static Type =
        &Type::Named { name: "address", doc: "an IPv4 or IPv6 address", example: r#""192.0.2.1""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let hint = r#"use an address as in "192.0.2.1" or "2001:db8::1", without a `/`"#;
        let parsed = String::from_value(value, context)?.parse();
        parsed.map(Address).map_err(|_| Problem::new(Some(value), "is not an IP address", hint))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.to_string())
    }
}

/// An address with its prefix length: `192.0.2.10/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefixed {
    /// The address.
    pub address: IpAddr,
    /// The prefix length; all bits for a single host.
    pub bits: u8,
}

impl Prefixed {
    /// Parses `ADDRESS/BITS`, or `ADDRESS` with all bits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address.parse().ok()?, bits.parse().ok()?),
            None => {
                let address = text.parse().ok()?;
                (address, all_bits(&address))
            }
        };
        (bits <= all_bits(&address)).then_some(Self { address, bits })
    }

    /// The network of the address: the host bits are zero.
    pub(super) fn network(self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V4((address.to_bits() & mask).into())
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V6((address.to_bits() & mask).into())
            }
        };
        Self { address, ..self }
    }

    /// The claim of a link with an address in this network, which a route through it follows.
    pub(super) fn claim(self) -> Claim {
        Claim::Other("network", self.to_string().into())
    }

    /// All networks that contain an address, one for each prefix length.
    pub(super) fn containing(address: IpAddr) -> impl Iterator<Item = Self> {
        (0..=all_bits(&address)).map(move |bits| Self { address, bits }.network())
    }

    /// Whether the kernel assigns such an address by itself.
    pub(super) fn is_link_local(&self) -> bool {
        matches!(self.address, IpAddr::V6(address) if address.is_unicast_link_local())
    }
}

fn all_bits(address: &IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

impl fmt::Display for Prefixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Property for Prefixed {
    const TYPE: &'static Type = &Type::Named {
        name: "address with its prefix",
        doc: "an IP address with its prefix length",
        example: r#""192.0.2.10/24""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let hint = r#"use an address as in "192.0.2.10/24" or "2001:db8::1/64""#;
        let text = String::from_value(value, context)?;
        Self::parse(&text).ok_or_else(|| Problem::new(Some(value), "is not an address with a prefix", hint))
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

/// A set of addresses, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses(Vec<Prefixed>);

impl Addresses {
    /// All addresses.
    pub fn iter(&self) -> impl Iterator<Item = &Prefixed> {
        self.0.iter()
    }

    /// Whether the set has this address.
    pub fn contains(&self, address: &Prefixed) -> bool {
        self.0.binary_search(address).is_ok()
    }

    /// The addresses that are not in `others`.
    pub(super) fn without<'a>(&'a self, others: &'a Self) -> impl Iterator<Item = &'a Prefixed> {
        self.iter().filter(|address| !others.contains(address))
    }
}

impl FromIterator<Prefixed> for Addresses {
    fn from_iter<I: IntoIterator<Item = Prefixed>>(addresses: I) -> Self {
        let mut addresses: Vec<Prefixed> = addresses.into_iter().collect();
        addresses.sort_unstable();
        addresses.dedup();
        Addresses(addresses)
    }
}

impl Property for Addresses {
    const TYPE: &'static Type = Vec::<Prefixed>::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Ok(Vec::from_value(value, context)?.into_iter().collect())
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_prefixes() {
        let check = |text: &str, expected: Option<&str>, network: Option<&str>| {
            let parsed = Prefixed::parse(text);
            assert_eq!(parsed.map(|parsed| parsed.to_string()).as_deref(), expected, "{text}");
            assert_eq!(parsed.map(|parsed| parsed.network().to_string()).as_deref(), network, "{text}");
        };
        check("192.0.2.10/24", Some("192.0.2.10/24"), Some("192.0.2.0/24"));
        check("192.0.2.10", Some("192.0.2.10/32"), Some("192.0.2.10/32"));
        check("192.0.2.10/0", Some("192.0.2.10/0"), Some("0.0.0.0/0"));
        check("2001:DB8:0::1/64", Some("2001:db8::1/64"), Some("2001:db8::/64"));
        check("2001:db8::1", Some("2001:db8::1/128"), Some("2001:db8::1/128"));
        check("::/0", Some("::/0"), Some("::/0"));
        check("192.0.2.10/33", None, None);
        check("192.0.2.10/-1", None, None);
        check("192.0.2", None, None);
        check("eth0", None, None);
    }

    #[test]
    fn all_networks_of_an_address() {
        let containing = |text: &str| -> Vec<String> {
            Prefixed::containing(text.parse().expect("an address"))
                .map(|network| network.to_string())
                .collect()
        };
        let of_host = containing("192.0.2.9");
        assert_eq!((of_host.len(), containing("2001:db8::1").len()), (33, 129));
        assert_eq!((of_host[0].as_str(), of_host[24].as_str()), ("0.0.0.0/0", "192.0.2.0/24"));
        assert_eq!(of_host[32], "192.0.2.9/32");
    }

    #[test]
    fn order_of_addresses_does_not_matter() {
        let of = |texts: &[&str]| -> Addresses {
            texts.iter().map(|text| Prefixed::parse(text).expect("an address")).collect()
        };
        assert_eq!(of(&["10.0.0.2/8", "10.0.0.1/8"]), of(&["10.0.0.1/8", "10.0.0.2/8", "10.0.0.1/8"]));
        assert_ne!(of(&["10.0.0.1/8"]), of(&["10.0.0.1/16"]));
        let (all, one) = (of(&["10.0.0.1/8", "::1"]), of(&["::1"]));
        assert_eq!(all.without(&one).map(ToString::to_string).collect::<Vec<_>>(), ["10.0.0.1/8"]);
    }
}
