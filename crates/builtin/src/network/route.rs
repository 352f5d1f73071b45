//! The kind `route`.

mod query;

use query::Key;
use uphold_kit::{machine, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, Error, ErrorKind, Found, Interest, Look, Problem, Property, Reading,
    Resource, Result, Step, Want, Watching, Wish,
};

use super::LinkName;
use super::address::{Address, Prefixed};

pub use query::Destination;

/// The kernel's default metric for IPv6.
const METRIC_OF_IPV6: u32 = 1024;

/// A network route.
///
/// A route is identified by destination, metric and table, as in the kernel. A change takes effect atomically,
/// without a gap.
///
/// ```hcl
/// route "default" {
///   gateway = "192.0.2.1"
/// }
///
/// route "198.51.100.0/24" {
///   gateway = "192.0.2.9"
///   device  = "eth0"
///   metric  = 50
/// }
///
/// route "203.0.113.0/24" {
///   type = "blackhole"
/// }
/// ```
///
/// The default route of IPv6 is `"::/0"`, or `"default"` with an IPv6 `gateway`.
///
/// The kernel loses its routes at a reboot, and when their device is removed. To set routes at boot, before Uphold
/// runs, declare the `file` of the system that configures them, such as `/etc/systemd/network/eth0.network`.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "route", also("network_route", "static_route"), claims, interests)]
pub struct Route {
    /// Destination network or host, or `"default"`; defaults to the block's label.
    #[also("target", "to", "network")]
    #[name]
    pub destination: Destination,
    /// Metric: of several routes to a destination, the lowest is preferred. Defaults to the kernel's own: 0 for
    /// IPv4, 1024 for IPv6.
    #[also("priority", "preference")]
    pub metric: Option<u32>,
    /// Routing table: a name in `/etc/iproute2/rt_tables`, or a number.
    #[default("main")]
    #[pattern("^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]
    pub table: String,
    /// Type: `"unicast"` forwards packets, the others drop them, silently or with an error.
    #[also("kind")]
    #[on_create(RouteType::Unicast)]
    pub r#type: Want<RouteType>,
    /// Gateway (next hop); null for a destination that the device reaches directly.
    #[also("via", "next_hop", "router")]
    pub gateway: Want<Option<Address>>,
    /// Network link. If it is not set, the kernel chooses the one that reaches the gateway.
    #[also("dev", "interface")]
    pub device: Want<Option<LinkName>>,
    /// Preferred source address of packets to the destination.
    #[also("src")]
    pub source: Want<Option<Address>>,
    /// Assume that the gateway is reachable through the device, even if no address of it matches.
    #[default(false)]
    pub onlink: bool,
}

/// The effect of a route on packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum RouteType {
    /// Forwards them.
    Unicast,
    /// Drops them silently.
    Blackhole,
    /// Drops them and reports the destination as unreachable.
    Unreachable,
    /// Drops them and reports that it is prohibited.
    Prohibit,
}

impl RouteType {
    /// The type in the output of `ip`. All other types forward packets.
    fn reported(word: &str) -> Self {
        match word {
            "blackhole" => RouteType::Blackhole,
            "unreachable" => RouteType::Unreachable,
            "prohibit" => RouteType::Prohibit,
            _ => RouteType::Unicast,
        }
    }

    fn word(self) -> &'static str {
        match self {
            RouteType::Unicast => "unicast",
            RouteType::Blackhole => "blackhole",
            RouteType::Unreachable => "unreachable",
            RouteType::Prohibit => "prohibit",
        }
    }
}

impl Resource for Route {
    fn validate(&self) -> Result<(), Problem> {
        if !self.drops_packets() || (self.gateway().is_none() && self.device().is_none()) {
            return Ok(());
        }
        let rule = "drops packets, but has a gateway or device";
        Err(Problem::new(None, rule, "remove `gateway` and `device`, or `type`").inside("type"))
    }

    fn prepare(&self, look: &Look<'_>) -> Result<RouteWishes> {
        super::must_run("a route", look)?;
        // An existing route of another type loses its gateway and device.
        let drops = self.drops_packets();
        Ok(RouteWishes {
            gateway: if drops { Wish::Set(None) } else { Wish::Declared },
            device: if drops { Wish::Set(None) } else { Wish::Declared },
            ..RouteWishes::default()
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if !machine::is_running(look)? {
            return Ok(Found::Absent);
        }
        self.key().read(look).map(Found::from)
    }

    fn check_create(&self, _: &Look<'_>) -> Result<()> {
        if self.drops_packets() || self.gateway().is_some() || self.device().is_some() {
            return Ok(());
        }
        let what = format!("the route to {} has no gateway and no device", self.key().network);
        let hint = "set `gateway`, `device`, or a `type` that drops packets";
        Err(Error::new(ErrorKind::Invalid, what).hint(hint))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.replace(goal, true, host),
            Step::Update { goal, change, .. } => {
                // Another gateway may need another device, so the kernel chooses it again unless it is declared.
                let keeps_device = change.gateway.is_none() || self.device.is_set();
                self.replace(goal, keeps_device, host)
            }
            Step::Remove { current } => {
                let mut words = vec!["route", "delete", current.r#type.word()];
                let key = self.key_words();
                words.extend(key.iter().map(String::as_str));
                self.ip(&words, "remove", host)
            }
        }
    }
}

impl Claiming for Route {
    /// It depends on its device, and comes after links with an address in the network of its gateway.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("route", self.key_words().join(" ").into()));
        if let Some(device) = self.device() {
            claims.need(device.claim());
        }
        if let Some(Address(gateway)) = self.gateway() {
            Prefixed::containing(gateway).for_each(|network| claims.follow(network.claim()));
        }
    }
}

/// The kernel does not report routes that are removed with their link or address, so those are watched, too.
impl Watching for Route {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Lines(tool::command("ip", ["monitor", "link", "address", "route"])));
    }
}

impl Route {
    fn drops_packets(&self) -> bool {
        self.r#type.get().is_some_and(|kind| *kind != RouteType::Unicast)
    }

    fn gateway(&self) -> Option<Address> {
        self.gateway.get().copied().flatten()
    }

    fn device(&self) -> Option<&LinkName> {
        self.device.get()?.as_ref()
    }

    fn key(&self) -> Key<'_> {
        let of_source = || self.source.get().copied().flatten();
        let network = self.destination.network(self.gateway().or_else(of_source).map(|address| address.0));
        let default = if network.address.is_ipv4() { 0 } else { METRIC_OF_IPV6 };
        Key { network, metric: self.metric.unwrap_or(default), table: &self.table }
    }

    fn key_words(&self) -> Vec<String> {
        let key = self.key();
        let words = [key.network.to_string(), "metric".to_owned(), key.metric.to_string()];
        words.into_iter().chain(["table".to_owned(), key.table.to_owned()]).collect()
    }

    /// Sets the route, replacing one with the same key.
    fn replace(&self, goal: &RouteGoal, keeps_device: bool, host: &Act<'_>) -> Result<()> {
        let mut words: Vec<String> = ["route", "replace", goal.r#type.word()].map(str::to_owned).into();
        words.extend(self.key_words());
        if let Some(Address(gateway)) = goal.gateway {
            // A gateway of the other protocol is possible, and needs its family.
            let family = if gateway.is_ipv4() { "inet" } else { "inet6" };
            words.extend(["via".to_owned(), family.to_owned(), gateway.to_string()]);
        }
        if let Some(device) = goal.device.as_ref().filter(|_| keeps_device) {
            words.extend(["dev".to_owned(), device.0.clone()]);
        }
        if let Some(Address(source)) = goal.source {
            words.extend(["src".to_owned(), source.to_string()]);
        }
        if self.onlink {
            words.push("onlink".to_owned());
        }
        words.extend(["protocol", "static"].map(str::to_owned));
        self.ip(&words.iter().map(String::as_str).collect::<Vec<_>>(), "set", host)
    }

    fn ip(&self, words: &[&str], verb: &str, host: &Act<'_>) -> Result<()> {
        let key = self.key();
        let command = tool::command("ip", [key.protocol()].iter().chain(words).copied());
        super::change(&command, &format!("cannot {verb} the route to {}", key.network), host)
    }
}
