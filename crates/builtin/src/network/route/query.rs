//! Reading a route with `ip`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::Value as Json;
use uphold_kit::tool;
use uphold_resource::{Context, Error, Problem, Property, Reading, Result, Type, Value};

use crate::network::LinkName;
use crate::network::address::{Address, Prefixed};

use super::{RouteState, RouteType};

/// The properties that identify a route in the kernel.
pub(super) struct Key<'a> {
    pub(super) network: Prefixed,
    pub(super) metric: u32,
    pub(super) table: &'a str,
}

impl Key<'_> {
    /// The option of `ip` for its protocol.
    pub(super) fn protocol(&self) -> &'static str {
        if self.network.address.is_ipv4() { "-4" } else { "-6" }
    }

    /// The route with this key; none if it does not exist.
    pub(super) fn read(&self, host: &Reading<'_>) -> Result<Option<RouteState>> {
        let what = format!("cannot read the route to {}", self.network);
        let network = self.network.to_string();
        let words =
            ["-json", "-details", self.protocol(), "route", "show", "exact", &network, "table", self.table];
        let output = host
            .probe(&tool::command("ip", words))
            .map_err(|error| crate::network::without_ip(error, &what))?;
        if !output.success() {
            // A table exists only as long as it has routes.
            let is_missing = String::from_utf8_lossy(&output.stderr).contains("FIB table does not exist");
            return if is_missing { Ok(None) } else { Err(crate::network::refusal(&output, "ip", &what)) };
        }
        if output.stdout.trim_ascii().is_empty() {
            return Ok(None);
        }
        let parsed: Json = serde_json::from_slice(&output.stdout)
            .map_err(|error| Error::failed(&what).because(error).hint("install `ip` of iproute2"))?;
        let routes = parsed.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(routes.iter().find(|route| self.is_of(route)).map(state))
    }

    fn is_of(&self, route: &Json) -> bool {
        route["metric"].as_u64().unwrap_or(0) == u64::from(self.metric)
    }
}

fn state(route: &Json) -> RouteState {
    let address = |key: &str| route[key].as_str().and_then(|text| text.parse().ok()).map(Address);
    let r#type = RouteType::reported(route["type"].as_str().unwrap_or_default());
    let device = route["dev"].as_str().map(|name| LinkName(name.to_owned()));
    RouteState {
        r#type,
        gateway: address("gateway").or_else(|| route["via"]["host"].as_str()?.parse().ok().map(Address)),
        // The kernel assigns routes that drop packets to the loopback device.
        device: device.filter(|_| r#type == RouteType::Unicast),
        source: address("prefsrc"),
    }
}

// The destination of a route.

/// The destination of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// All addresses without a more specific route.
    Default,
    /// A network or a host.
    Network(Prefixed),
}

impl Destination {
    /// The network. For a default route, `gateway` determines the protocol.
    pub(super) fn network(self, gateway: Option<IpAddr>) -> Prefixed {
        match (self, gateway) {
            (Destination::Network(network), _) => network,
            (Destination::Default, Some(IpAddr::V6(_))) => {
                Prefixed { address: Ipv6Addr::UNSPECIFIED.into(), bits: 0 }
            }
            (Destination::Default, _) => Prefixed { address: Ipv4Addr::UNSPECIFIED.into(), bits: 0 },
        }
    }
}

impl Property for Destination {
    const TYPE: &'static Type = &Type::Named {
        name: "destination",
        doc: "a network, a host, or \"default\"",
        example: r#""198.51.100.0/24""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        if text == "default" {
            return Ok(Destination::Default);
        }
        let hint = r#"use a network as in "198.51.100.0/24", a host, or "default""#;
        let Some(parsed) = Prefixed::parse(&text) else {
            return Err(Problem::new(Some(value), "is not a network", hint));
        };
        if parsed.network() != parsed {
            let hint = format!("write the network as \"{}\"", parsed.network());
            return Err(Problem::new(Some(value), "has host bits set", hint));
        }
        Ok(Destination::Network(parsed))
    }

    fn to_value(&self) -> Value {
        match self {
            Destination::Default => Value::text("default"),
            Destination::Network(network) => network.to_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> RouteState {
        state(&serde_json::from_str(text).expect("valid JSON"))
    }

    #[test]
    fn reads_all_properties() {
        let route = parsed(
            r#"{"type": "unicast", "dst": "10.5.0.0/16", "gateway": "10.1.0.3", "dev": "x0", "prefsrc": "10.1.0.1"}"#,
        );
        assert_eq!(route.gateway.map(|gateway| gateway.0.to_string()).as_deref(), Some("10.1.0.3"));
        assert_eq!(route.source.map(|source| source.0.to_string()).as_deref(), Some("10.1.0.1"));
        assert_eq!(route.device.map(|device| device.0).as_deref(), Some("x0"));
        let mixed = parsed(r#"{"via": {"family": "inet6", "host": "2001:db8::1"}, "dev": "x0"}"#);
        assert_eq!(mixed.gateway.map(|gateway| gateway.0.to_string()).as_deref(), Some("2001:db8::1"));
        let nowhere = parsed(r#"{"type": "unreachable", "dst": "2001:db8:5::/48", "dev": "lo"}"#);
        assert_eq!((nowhere.r#type, nowhere.device), (RouteType::Unreachable, None));
    }

    #[test]
    fn metric_is_part_of_the_key() {
        let key =
            |metric| Key { network: Prefixed::parse("::/0").expect("a network"), metric, table: "main" };
        let route = serde_json::json!({ "dst": "default", "metric": 7 });
        assert!(key(7).is_of(&route) && !key(0).is_of(&route));
        assert!(key(0).is_of(&serde_json::json!({ "dst": "default" })));
    }
}

#[cfg(test)]
mod destination_tests {
    use super::*;

    #[test]
    fn parses_destinations() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let decoded = Destination::from_value(&Value::text(text), &Context::NOTHING);
            let decoded = decoded.map(|decoded| decoded.network(None).to_string());
            match (decoded.map_err(|problem| problem.to_string()), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
                (Err(problem), Err(words)) => assert!(problem.contains(words), "{problem}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        };
        check("default", Ok("0.0.0.0/0"));
        check("198.51.100.0/24", Ok("198.51.100.0/24"));
        check("198.51.100.7", Ok("198.51.100.7/32"));
        check("2001:db8::/32", Ok("2001:db8::/32"));
        check("198.51.100.7/24", Err("198.51.100.0/24"));
        check("example.org", Err("is not a network"));
    }

    #[test]
    fn gateway_determines_the_protocol_of_default() {
        let network = |gateway: &str| Destination::Default.network(gateway.parse().ok()).to_string();
        assert_eq!(network("192.0.2.1"), "0.0.0.0/0");
        assert_eq!(network("2001:db8::1"), "::/0");
    }
}
