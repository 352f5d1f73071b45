//! Messages of the kernel about changed network links.

use super::message::Bytes;
use super::message::next_message;

/// The multicast groups of links and addresses: `RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR`.
pub(crate) const LINK_GROUPS: u32 = 0x1 | 0x10 | 0x100;

/// `RTM_NEWLINK` and `RTM_DELLINK`.
const LINKS: [u16; 2] = [16, 17];
/// `RTM_NEWADDR` and `RTM_DELADDR`.
const ADDRESSES: [u16; 2] = [20, 21];

/// A change of a link or of one of its addresses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LinkChange {
    /// The kernel's index of the link.
    pub(crate) index: u32,
    /// Its name, if the message contains it.
    pub(crate) name: Option<String>,
}

/// The changes in the data of a netlink socket. Other messages are ignored.
pub(crate) fn link_changes(received: &[u8]) -> impl Iterator<Item = LinkChange> {
    let mut rest = Bytes(received);
    let messages = std::iter::from_fn(move || next_message(&mut rest));
    messages.filter_map(|(kind, _, body)| change(kind, body))
}

/// Decodes a message. The index is at the same place in `struct ifinfomsg` and `struct ifaddrmsg`; `IFLA_IFNAME` is 3.
fn change(kind: u16, body: Bytes<'_>) -> Option<LinkChange> {
    let index = body.u32(4)?;
    if ADDRESSES.contains(&kind) {
        return Some(LinkChange { index, name: None });
    }
    let name = body.after(16)?.attribute(3).map(|name| {
        let name = name.0.strip_suffix(b"\0").unwrap_or(name.0);
        String::from_utf8_lossy(name).into_owned()
    });
    LINKS.contains(&kind).then_some(LinkChange { index, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u16, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(16 + body.len()).unwrap();
        let header = [length.to_ne_bytes().to_vec(), kind.to_ne_bytes().to_vec(), vec![0; 10]].concat();
        [header, body.to_vec()].concat()
    }

    #[test]
    fn reads_changes_of_links_and_addresses() {
        let check = |kind: u16, attributes: &[u8], expected: Option<(u32, Option<&str>)>| {
            let fixed = if kind < 20 { 16 } else { 8 };
            let mut body = vec![0; fixed];
            body[4..8].copy_from_slice(&7_u32.to_ne_bytes());
            body.extend(attributes);
            let found = link_changes(&message(kind, &body)).next();
            let expected = expected.map(|(index, name)| LinkChange { index, name: name.map(str::to_owned) });
            assert_eq!(found, expected, "{kind}");
        };
        let name = [9_u16.to_ne_bytes().as_slice(), 3_u16.to_ne_bytes().as_slice(), b"eth0\0\0\0\0"].concat();
        check(16, &name, Some((7, Some("eth0"))));
        check(17, &name, Some((7, Some("eth0"))));
        check(16, &[], Some((7, None)));
        check(20, &[], Some((7, None)));
        check(21, &[], Some((7, None)));
        check(24, &[], None);
        assert_eq!(link_changes(b"broken").count(), 0);
    }
}
