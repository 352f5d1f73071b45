//! One route.

use uphold_resource::{
    Act, Claim, Claiming, Claims, Error, ErrorKind, Interest, Property, Reading, Resource, Result, Step,
    Want, Watching,
};

use super::Destination;
use super::reading::Key;
use crate::network::address::{Address, Prefixed};
use crate::network::{LinkName, kernel};
use crate::{machine, tool};

/// What the kernel gives a route of IPv6 that has no metric.
const METRIC_OF_IPV6: u32 = 1024;

/// One route: where packets to some network go.
///
/// The kernel tells routes apart by destination, metric and table; so does Uphold. A change takes effect at once, without a
/// moment that has no route.
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
/// The default route of IPv6 is `"::/0"`, or `"default"` with a `gateway` of IPv6.
///
/// The kernel forgets its routes when the machine stops, and when their device goes. For routes that are there before Uphold
/// is, declare the `file` of whatever makes them at boot, such as `/etc/systemd/network/eth0.network`.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "route", also("network_route", "static_route"), claims, interests)]
pub struct Route {
    /// The network or host that it leads to, or "default"; the block's label unless set.
    #[also("target", "to", "network")]
    #[name]
    pub destination: Destination,
    /// Which of several routes to one destination is preferred: the one with the least. If unset, that of the kernel: 0 for
    /// IPv4, 1024 for IPv6.
    #[also("priority", "preference")]
    pub metric: Option<u32>,
    /// The table that it is in: a name of `/etc/iproute2/rt_tables`, or a number.
    #[default("main")]
    #[pattern("^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]
    pub table: String,
    /// What happens to packets: "unicast" sends them on, the others drop them, in silence or not.
    #[also("kind")]
    #[on_create(RouteType::Unicast)]
    pub r#type: Want<RouteType>,
    /// Whom packets are given to; null for a destination that the device reaches by itself.
    #[also("via", "next_hop", "router")]
    pub gateway: Want<Option<Address>>,
    /// The link through which they go. If unset, the kernel finds the one that reaches the gateway.
    #[also("dev", "interface")]
    pub device: Want<Option<LinkName>>,
    /// The address of this machine that packets come from, if a program does not choose.
    #[also("src")]
    pub source: Want<Option<Address>>,
    /// Whether the gateway is reached by the device, though no address of it says so.
    #[default(false)]
    pub onlink: bool,
}

/// What a route does with packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum RouteType {
    /// Sends them on.
    Unicast,
    /// Drops them in silence.
    Blackhole,
    /// Drops them, and says that the destination cannot be reached.
    Unreachable,
    /// Drops them, and says that it is not allowed.
    Prohibit,
}

impl RouteType {
    /// As `ip` tells it; whatever else there is sends packets somewhere.
    pub(super) fn told(word: &str) -> Self {
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
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        kernel::must_run("a route", host)?;
        let leads = self.gateway().is_some() || self.device().is_some();
        match self.r#type.get() {
            Some(RouteType::Unicast) | None => Ok(()),
            Some(_) if leads => {
                Err(self
                    .invalid("drops packets and has a gateway or device", "leave out `gateway` and `device`"))
            }
            // What is there may have been another route: it leads nowhere from now on.
            Some(_) => {
                (self.gateway, self.device) = (Want::of(None), Want::of(None));
                Ok(())
            }
        }
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<RouteState>> {
        if !machine::is_running(host)? {
            return Ok(None);
        }
        self.key().read(host)
    }

    fn check_create(&self, _: &Reading<'_>) -> Result<()> {
        let drops = self.r#type.get().is_some_and(|kind| *kind != RouteType::Unicast);
        if drops || self.gateway().is_some() || self.device().is_some() {
            return Ok(());
        }
        Err(self.invalid("leads nowhere", "set `gateway`, `device`, or a `type` that drops packets"))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.replace(goal, true, host),
            Step::Update { goal, change, .. } => {
                // Another gateway may be reached by another device: then the kernel finds it, unless it was asked for.
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
    /// It stands on its device. Whichever link has an address in the network of its gateway comes before.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("route", self.key_words().join(" ").into()));
        if let Some(device) = self.device() {
            claims.need(device.claim());
        }
        if let Some(Address(gateway)) = self.gateway() {
            Prefixed::around(gateway).for_each(|network| claims.follow(network.claim()));
        }
    }
}

/// The kernel does not tell of routes that go with their link or address, so those are listened to as well.
impl Watching for Route {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Lines(tool::command("ip", ["monitor", "link", "address", "route"])));
    }
}

impl Route {
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

    /// Puts the route in place of the one with its key, if there is one.
    fn replace(&self, goal: &RouteGoal, keeps_device: bool, host: &Act<'_>) -> Result<()> {
        let mut words: Vec<String> = ["route", "replace", goal.r#type.word()].map(str::to_owned).into();
        words.extend(self.key_words());
        if let Some(Address(gateway)) = goal.gateway {
            // A gateway of the other protocol is possible, and has to be announced.
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
        kernel::change(&command, &format!("cannot {verb} the route to {}", key.network), host)
    }

    fn invalid(&self, what: &str, hint: &str) -> Error {
        let what = format!("the route to {} {what}", self.key().network);
        Error::new(ErrorKind::Invalid, what).hint(hint)
    }
}
