//! The destination of a route.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::network::address::Prefixed;

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
