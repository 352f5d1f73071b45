//! Facts about networks, and the machine's primary address.

use std::collections::HashMap;
use std::net::IpAddr;

use uphold_resource::{Result, Value};

use super::{Address, Link, Network, Route};
use crate::facts::machine::{Machine, nullable};

pub(in crate::facts) fn interfaces(machine: &Machine<'_>) -> Result<Value> {
    Ok(machine.network()?.interfaces())
}

pub(in crate::facts) fn ipv4(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.network()?.own(false).map(|address| address.to_string())))
}

pub(in crate::facts) fn ipv6(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.network()?.own(true).map(|address| address.to_string())))
}

pub(in crate::facts) fn gateway(machine: &Machine<'_>) -> Result<Value> {
    let route = machine.network()?.default_route();
    Ok(nullable(route.and_then(|route| route.gateway).map(|address| address.to_string())))
}

pub(in crate::facts) fn default_interface(machine: &Machine<'_>) -> Result<Value> {
    let network = machine.network()?;
    let index = network.default_route().and_then(|route| route.link);
    let link = network.links.iter().find(|link| Some(link.index) == index);
    Ok(nullable(link.map(|link| link.name.clone())))
}

impl Network {
    fn interfaces(&self) -> Value {
        let mut by_link: HashMap<u32, Vec<&Address>> = HashMap::new();
        for address in &self.addresses {
            by_link.entry(address.link).or_default().push(address);
        }
        let described = self.links.iter().map(|link| {
            let addresses = by_link.get(&link.index).map(Vec::as_slice).unwrap_or_default();
            (link.name.clone(), describe(link, addresses))
        });
        Value::map(described)
    }

    /// The best default route: IPv4's, else IPv6's.
    fn default_route(&self) -> Option<&Route> {
        self.best_route(false).or_else(|| self.best_route(true))
    }

    fn best_route(&self, ipv6: bool) -> Option<&Route> {
        self.routes.iter().filter(|route| route.ipv6 == ipv6).min_by_key(|route| route.metric)
    }

    /// The source address of the default route, else the first permanent address.
    fn own(&self, ipv6: bool) -> Option<IpAddr> {
        let route = self.best_route(ipv6);
        if let Some(source) = route.and_then(|route| route.source) {
            return Some(source);
        }
        let link = route.and_then(|route| route.link);
        let candidates = || self.addresses.iter().filter(move |a| a.address.is_ipv6() == ipv6 && a.permanent);
        let on_route = candidates().find(|address| Some(address.link) == link);
        let own = on_route.or_else(|| candidates().find(|address| self.is_up(address.link)));
        own.map(|address| address.address)
    }

    fn is_up(&self, index: u32) -> bool {
        self.links.iter().any(|link| link.index == index && link.up && !link.loopback)
    }
}

fn describe(link: &Link, addresses: &[&Address]) -> Value {
    let families = [false, true].into_iter();
    let sorted = families.flat_map(|ipv6| addresses.iter().filter(move |a| a.address.is_ipv6() == ipv6));
    let texts = sorted.map(|address| Value::from(format!("{}/{}", address.address, address.prefix)));
    Value::map([
        ("mac", nullable(link.mac.clone())),
        ("mtu", Value::Int(link.mtu.into())),
        ("up", Value::Bool(link.up)),
        ("addresses", Value::list(texts)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(index: u32, name: &str, up: bool) -> Link {
        Link { index, name: name.to_owned(), mac: None, mtu: 1500, up, loopback: index == 1 }
    }

    fn address(link: u32, text: &str, permanent: bool) -> Address {
        Address { link, address: text.parse().unwrap(), prefix: 24, permanent }
    }

    fn route(link: u32, gateway: &str, source: Option<&str>, metric: u32) -> Route {
        let gateway: IpAddr = gateway.parse().unwrap();
        let source = source.map(|source| source.parse().unwrap());
        Route { ipv6: gateway.is_ipv6(), link: Some(link), gateway: Some(gateway), source, metric }
    }

    fn network(routes: Vec<Route>) -> Network {
        Network {
            links: vec![link(1, "lo", true), link(2, "off", false), link(3, "a", true), link(4, "b", true)],
            addresses: vec![
                address(1, "127.0.0.1", false),
                address(1, "10.255.0.1", true),
                address(2, "10.2.0.1", true),
                address(3, "10.3.0.1", true),
                address(4, "169.254.0.1", false),
                address(4, "10.4.0.1", true),
                address(4, "fe80::4", false),
                address(4, "2001:db8::4", true),
            ],
            routes,
        }
    }

    #[test]
    fn finds_the_primary_address() {
        let check = |routes: Vec<Route>, expected: &str| {
            assert_eq!(network(routes).own(false).map(|own| own.to_string()).as_deref(), Some(expected));
        };
        check(vec![], "10.3.0.1");
        check(vec![route(4, "10.4.0.254", None, 0)], "10.4.0.1");
        check(vec![route(4, "10.4.0.254", None, 100), route(3, "10.3.0.254", None, 5)], "10.3.0.1");
        check(vec![route(4, "10.4.0.254", Some("10.255.0.1"), 0)], "10.255.0.1");
        check(vec![route(9, "10.9.0.254", None, 0)], "10.3.0.1");
        assert_eq!(network(vec![]).own(true).map(|own| own.to_string()).as_deref(), Some("2001:db8::4"));
        assert_eq!(Network::default().own(false), None);
    }

    #[test]
    fn prefers_the_default_route_of_ipv4() {
        let gateway = |routes| network(routes).default_route().and_then(|route| route.gateway);
        let six = || route(4, "fe80::1", None, 0);
        assert_eq!(gateway(vec![six()]).map(|it| it.to_string()).as_deref(), Some("fe80::1"));
        let both = gateway(vec![six(), route(3, "10.3.0.254", None, 900)]);
        assert_eq!(both.map(|it| it.to_string()).as_deref(), Some("10.3.0.254"));
        assert_eq!(gateway(vec![]), None);
    }

    #[test]
    fn describes_interfaces() {
        let described = network(vec![]).interfaces().at(&["b"]).unwrap();
        let expected = "{ addresses = [\"169.254.0.1/24\", \"10.4.0.1/24\", \"fe80::4/24\", \
                        \"2001:db8::4/24\"], mac = null, mtu = 1500, up = true }";
        assert_eq!(described.to_string(), expected);
    }
}
