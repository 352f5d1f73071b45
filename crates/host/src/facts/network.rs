//! Interfaces, addresses and routes of the running kernel.

mod change;
mod message;
mod primary;

use std::net::IpAddr;

use message::{ADDRESSES, Bytes, IPV4, IPV6, LINKS, ROUTES, ask};
use uphold_resource::Result;

pub(crate) use change::{LINK_GROUPS, link_changes};

pub(super) use primary::{default_interface, gateway, interfaces, ipv4, ipv6};

// The network configuration of the kernel.

/// The interfaces, addresses and default routes at one moment.
#[derive(Default)]
pub(in crate::facts) struct Network {
    links: Vec<Link>,
    addresses: Vec<Address>,
    routes: Vec<Route>,
}

/// An interface.
struct Link {
    index: u32,
    name: String,
    mac: Option<String>,
    mtu: u32,
    up: bool,
    loopback: bool,
}

/// An address of an interface.
struct Address {
    link: u32,
    address: IpAddr,
    prefix: u8,
    /// Whether it is global, and neither temporary nor about to expire.
    permanent: bool,
}

/// A default route.
struct Route {
    ipv6: bool,
    link: Option<u32>,
    gateway: Option<IpAddr>,
    source: Option<IpAddr>,
    /// The smallest is preferred.
    metric: u32,
}

/// `IFF_UP`.
const UP: u32 = 1;
/// `IFF_LOOPBACK`.
const LOOPBACK: u32 = 8;
/// `RT_SCOPE_UNIVERSE` and `RT_SCOPE_SITE`: valid beyond its link.
const WIDE_SCOPES: [u8; 2] = [0, 200];
/// `IFA_F_TEMPORARY | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_TENTATIVE`. For IPv4 the first means
/// "secondary".
const TRANSIENT: u32 = 0x01 | 0x08 | 0x20 | 0x40;
/// `RT_TABLE_MAIN`.
const MAIN_TABLE: u32 = 254;
/// `RTN_UNICAST`.
const UNICAST: u8 = 1;

impl Network {
    /// Reads it from the running kernel: three requests of a few system calls each.
    pub(in crate::facts) fn read() -> Result<Self> {
        Ok(Self {
            links: ask(LINKS, link)?,
            addresses: ask(ADDRESSES, address)?,
            routes: ask(ROUTES, default_route)?,
        })
    }
}

/// `struct ifinfomsg` and its attributes `IFLA_ADDRESS`, `IFLA_IFNAME`, `IFLA_MTU`.
fn link(body: Bytes<'_>) -> Option<Link> {
    let (index, flags, attributes) = (body.u32(4)?, body.u32(8)?, body.after(16)?);
    let name = attributes.attribute(3)?.0;
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    Some(Link {
        index,
        name: String::from_utf8_lossy(name).into_owned(),
        mac: attributes.attribute(1).and_then(mac),
        mtu: attributes.attribute(4).and_then(|mtu| mtu.u32(0)).unwrap_or(0),
        up: flags & UP != 0,
        loopback: flags & LOOPBACK != 0,
    })
}

/// A hardware address in its usual form; `None` if it is all zeros.
fn mac(bytes: Bytes<'_>) -> Option<String> {
    let digits: Vec<String> = bytes.0.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.0.iter().any(|byte| *byte != 0).then(|| digits.join(":"))
}

/// `struct ifaddrmsg` and its attributes `IFA_LOCAL`, `IFA_ADDRESS`, `IFA_FLAGS`.
fn address(body: Bytes<'_>) -> Option<Address> {
    let (prefix, scope, link) = (body.u8(1)?, body.u8(3)?, body.u32(4)?);
    let attributes = body.after(8)?;
    // On a point-to-point link, IFA_ADDRESS is the other end.
    let address = attributes.attribute(2).or_else(|| attributes.attribute(1))?.address()?;
    let flags = attributes.attribute(8).and_then(|flags| flags.u32(0));
    let flags = flags.unwrap_or(body.u8(2)?.into());
    let permanent = WIDE_SCOPES.contains(&scope) && flags & TRANSIENT == 0;
    Some(Address { link, address, prefix, permanent })
}

/// `struct rtmsg` and its attributes, if it is a default route of the main table.
fn default_route(body: Bytes<'_>) -> Option<Route> {
    let (family, attributes) = (body.u8(0)?, body.after(12)?);
    let table = attributes.attribute(15).and_then(|table| table.u32(0)).unwrap_or(body.u8(4)?.into());
    let everywhere = body.u8(1)? == 0 && body.u8(7)? == UNICAST && table == MAIN_TABLE;
    if !everywhere || ![IPV4, IPV6].contains(&family) {
        return None;
    }
    // Of several next hops (RTA_MULTIPATH), the first.
    let way = attributes.attribute(9).and_then(|mut ways| ways.take_aligned(ways.u16(0)?));
    let hop = way.and_then(|way| way.after(8)).unwrap_or(attributes);
    let link = attributes.attribute(4).and_then(|link| link.u32(0)).or_else(|| way?.u32(4));
    let gateway = hop.attribute(5).or_else(|| hop.attribute(18)?.after(2)).and_then(Bytes::address);
    Some(Route {
        ipv6: family == IPV6,
        link,
        gateway,
        source: attributes.attribute(7).and_then(Bytes::address),
        metric: attributes.attribute(6).and_then(|metric| metric.u32(0)).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
        let length = u16::try_from(4 + value.len()).unwrap();
        let mut bytes = [length.to_ne_bytes(), kind.to_ne_bytes()].concat();
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    fn route(family: u8, to: u8, table: u8, kind: u8, attributes: &[Vec<u8>]) -> Option<Route> {
        let mut message = vec![family, to, 0, 0, table, 0, 0, kind, 0, 0, 0, 0];
        message.extend(attributes.concat());
        default_route(Bytes(&message))
    }

    #[test]
    fn reads_default_routes() {
        let check = |attributes: &[Vec<u8>], expected: (Option<u32>, Option<&str>, u32)| {
            let found = route(IPV4, 0, 254, UNICAST, attributes).unwrap();
            let gateway = found.gateway.map(|gateway| gateway.to_string());
            assert_eq!((found.link, gateway.as_deref(), found.metric), expected);
        };
        let link = |index: u32| attribute(4, &index.to_ne_bytes());
        let gateway = attribute(5, &[10, 0, 0, 1]);
        check(&[link(3), gateway.clone()], (Some(3), Some("10.0.0.1"), 0));
        check(
            &[gateway.clone(), attribute(6, &7_u32.to_ne_bytes()), link(3)],
            (Some(3), Some("10.0.0.1"), 7),
        );
        check(&[link(3)], (Some(3), None, 0));
        // IPv4 through an IPv6 router.
        let via = [&10_u16.to_ne_bytes()[..], &[0xfe, 0x80], &[0; 13], &[1]].concat();
        check(&[link(3), attribute(18, &via)], (Some(3), Some("fe80::1"), 0));
        // Two next hops. The first has no gateway, and the second's must not be taken for it.
        let way = |index: u32, attributes: &[u8]| {
            let length = u16::try_from(8 + attributes.len()).unwrap();
            [&length.to_ne_bytes()[..], &[0, 0], &index.to_ne_bytes(), attributes].concat()
        };
        check(&[attribute(9, &[way(5, &gateway), way(6, &[])].concat())], (Some(5), Some("10.0.0.1"), 0));
        check(&[attribute(9, &[way(6, &[]), way(5, &gateway)].concat())], (Some(6), None, 0));
    }

    #[test]
    fn ignores_other_routes() {
        let table = attribute(15, &1000_u32.to_ne_bytes());
        assert!(route(IPV6, 0, 254, UNICAST, &[]).is_some_and(|route| route.ipv6));
        assert!(route(IPV4, 24, 254, UNICAST, &[]).is_none(), "not a default route");
        assert!(route(IPV4, 0, 255, UNICAST, &[]).is_none(), "another table");
        assert!(route(IPV4, 0, 254, UNICAST, &[table]).is_none(), "a table beyond 255");
        assert!(route(IPV6, 0, 254, 7, &[]).is_none(), "unreachable");
        assert!(route(7, 0, 254, UNICAST, &[]).is_none(), "another protocol");
    }

    #[test]
    fn reads_addresses() {
        let check = |scope: u8, flags: u32, attributes: &[Vec<u8>], expected: (&str, bool)| {
            let mut message = vec![IPV4, 24, 0, scope, 3, 0, 0, 0];
            message[4..8].copy_from_slice(&3_u32.to_ne_bytes());
            message.extend(attributes.concat());
            message.extend(attribute(8, &flags.to_ne_bytes()));
            let found = address(Bytes(&message)).unwrap();
            assert_eq!((found.address.to_string().as_str(), found.permanent), expected);
            assert_eq!((found.link, found.prefix), (3, 24));
        };
        let (peer, own) = (attribute(1, &[10, 0, 0, 2]), attribute(2, &[10, 0, 0, 1]));
        check(0, 0x80, &[peer.clone(), own], ("10.0.0.1", true));
        check(0, 0, std::slice::from_ref(&peer), ("10.0.0.2", true));
        check(253, 0, std::slice::from_ref(&peer), ("10.0.0.2", false));
        check(0, 0x20, &[peer], ("10.0.0.2", false));
    }
}
