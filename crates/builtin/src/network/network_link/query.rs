//! Reading a link with `ip`.

use std::fmt;

use serde_json::Value as Json;
use uphold_kit::tool;
use uphold_resource::{Context, Error, Problem, Property, Reading, Result, Type, Value};

use crate::network::LinkName;
use crate::network::address::{Addresses, Prefixed};

use super::NetworkLinkState;

/// The type reported for a link that cannot be created by a command.
pub(super) const PHYSICAL: &str = "physical";

/// The current state; none if the link does not exist. `counts` decides whether an address is compared; its second
/// argument is true for an address that the kernel or a program assigned temporarily.
pub(super) fn read(
    name: &LinkName,
    counts: impl Fn(&Prefixed, bool) -> bool,
    host: &Reading<'_>,
) -> Result<Option<NetworkLinkState>> {
    let what = format!("cannot read the network link {name}");
    let command = tool::command("ip", ["-json", "-details", "address", "show", "dev", &name.0]);
    let output = host.probe(&command).map_err(|error| crate::network::without_ip(error, &what))?;
    if !output.success() {
        let is_missing = String::from_utf8_lossy(&output.stderr).contains("does not exist");
        return if is_missing { Ok(None) } else { Err(crate::network::refusal(&output, "ip", &what)) };
    }
    let parsed: Json = serde_json::from_slice(&output.stdout)
        .map_err(|error| Error::failed(&what).because(error).hint("install `ip` of iproute2"))?;
    Ok(parsed.as_array().and_then(|links| links.iter().find_map(|link| state(link, &counts))))
}

fn state(link: &Json, counts: &impl Fn(&Prefixed, bool) -> bool) -> Option<NetworkLinkState> {
    let details = &link["linkinfo"];
    let kind = details["info_kind"].as_str().unwrap_or(PHYSICAL);
    let name = |key: &str| link[key].as_str().map(|name| LinkName(name.to_owned()));
    let flags = link["flags"].as_array()?;
    Some(NetworkLinkState {
        r#type: kind.to_owned(),
        // The kernel reports the peer of a pair as its parent.
        parent: name("link").filter(|_| kind != "veth"),
        id: details["info_data"]["id"].as_u64().and_then(|id| u32::try_from(id).ok()),
        up: flags.iter().any(|flag| flag == "UP"),
        mtu: link["mtu"].as_u64().and_then(|mtu| u32::try_from(mtu).ok())?,
        mac: HardwareAddress::reported(link["address"].as_str().unwrap_or_default()),
        master: name("master"),
        addresses: addresses(link, counts),
    })
}

/// The addresses to compare.
fn addresses(link: &Json, counts: &impl Fn(&Prefixed, bool) -> bool) -> Addresses {
    let listed = link["addr_info"].as_array().map(Vec::as_slice).unwrap_or_default();
    let read = |info: &Json| {
        let address = info["local"].as_str()?.parse().ok()?;
        let bits = info["prefixlen"].as_u64().and_then(|bits| u8::try_from(bits).ok())?;
        let address = Prefixed { address, bits };
        let dynamic = info["dynamic"].as_bool().unwrap_or(false) || address.is_link_local();
        counts(&address, dynamic).then_some(address)
    };
    listed.iter().filter_map(read).collect()
}

// MAC addresses.

/// A MAC address, such as `02:00:00:00:00:01`. Case does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwareAddress(String);

impl HardwareAddress {
    /// The address as the kernel reports it, of any length.
    pub(super) fn reported(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for HardwareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for HardwareAddress {
    const TYPE: &'static Type = &Type::Named {
        name: "MAC address",
        doc: "six bytes, each as two hexadecimal digits",
        example: r#""02:00:00:00:00:01""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?.to_ascii_lowercase().replace('-', ":");
        let is_byte = |part: &str| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
        if text.split(':').count() == 6 && text.split(':').all(is_byte) {
            return Ok(Self(text));
        }
        Err(Problem::new(Some(value), "is not a MAC address", r#"write it as in "02:00:00:00:00:01""#))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of `ip -json -details address show` for a link created by hand.
    const VXLAN: &str = r#"{"ifname": "vx0", "link": "br0", "flags": ["BROADCAST", "UP", "LOWER_UP"], "mtu": 1450,
        "address": "02:00:00:00:00:01", "master": "br1",
        "linkinfo": {"info_kind": "vxlan", "info_data": {"id": 9}, "info_slave_kind": "bridge"},
        "addr_info": [
            {"family": "inet", "local": "10.0.0.1", "prefixlen": 24, "scope": "global"},
            {"family": "inet", "local": "10.0.0.2", "prefixlen": 24, "scope": "global", "dynamic": true},
            {"family": "inet6", "local": "fe80::1", "prefixlen": 64, "scope": "link"}]}"#;

    fn parsed(text: &str, counts: impl Fn(&Prefixed, bool) -> bool) -> NetworkLinkState {
        state(&serde_json::from_str(text).expect("valid JSON"), &counts).expect("a link")
    }

    #[test]
    fn reads_all_properties() {
        let link = parsed(VXLAN, |_, dynamic| !dynamic);
        assert_eq!((link.r#type.as_str(), link.id, link.up, link.mtu), ("vxlan", Some(9), true, 1450));
        assert_eq!(link.parent.map(|name| name.0).as_deref(), Some("br0"));
        assert_eq!(link.master.map(|name| name.0).as_deref(), Some("br1"));
        assert_eq!(link.mac.to_string(), "02:00:00:00:00:01");
        assert_eq!(link.addresses.iter().map(ToString::to_string).collect::<Vec<_>>(), ["10.0.0.1/24"]);
        assert_eq!(parsed(VXLAN, |_, _| true).addresses.iter().count(), 3);
    }

    #[test]
    fn reads_a_minimal_link() {
        let link = parsed(r#"{"ifname": "eth0", "flags": [], "mtu": 1500, "link": "x"}"#, |_, _| true);
        assert_eq!((link.r#type.as_str(), link.up, link.id, link.master), (PHYSICAL, false, None, None));
        let pair = r#"{"flags": [], "mtu": 1500, "link": "p0", "linkinfo": {"info_kind": "veth"}}"#;
        assert_eq!(parsed(pair, |_, _| true).parent, None);
    }
}

#[cfg(test)]
mod hardware_address_tests {
    use super::*;

    #[test]
    fn parses_six_bytes() {
        let check = |text: &str, expected: Option<&str>| {
            let decoded = HardwareAddress::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(decoded.map(|address| address.to_string()).as_deref(), expected, "{text}");
        };
        check("02:00:00:00:00:0A", Some("02:00:00:00:00:0a"));
        check("02-00-00-00-00-01", Some("02:00:00:00:00:01"));
        check("02:00:00:00:00", None);
        check("02:00:00:00:00:1", None);
        check("02:00:00:00:00:0g", None);
        check("", None);
    }
}
