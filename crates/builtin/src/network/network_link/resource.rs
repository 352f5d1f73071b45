//! One network link.

use uphold_resource::{
    Act, Claiming, Claims, Error, ErrorKind, Interest, Reading, Resource, Result, Step, Want, Watching,
};

use super::HardwareAddress;
use super::making::{Form, Settings, needs};
use super::reading::{PHYSICAL, read};
use crate::machine;
use crate::network::address::{Addresses, Prefixed};
use crate::network::{LinkName, kernel};

/// One network link: a network card, or a link that is made by software.
///
/// A link of hardware is there or not: leave out `type`, and set what it should be like. A link of a `type` is made if it is
/// missing, and made anew if its `type`, `parent` or `id` is another one, with all that it had.
///
/// ```hcl
/// network_link "br0" {
///   type      = "bridge"
///   addresses = ["192.0.2.1/24", "2001:db8::1/64"]
/// }
///
/// network_link "web0" {
///   type   = "veth"
///   peer   = "web1"
///   master = "br0"
///   mtu    = 1400
/// }
/// ```
///
/// `addresses` are all that the link has: any other is removed. Those are left alone that the kernel gives by itself
/// (link-local ones of IPv6), and those that are lent (by DHCP or by a router). With `append = true` every other is left alone.
///
/// The kernel forgets its links when the machine stops. For links that are there before Uphold is, declare the `file`s of
/// whatever makes them at boot, such as `/etc/systemd/network/br0.netdev`.
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "network_link",
    also("network_interface", "ifconfig", "interface", "nmcli", "net"),
    claims,
    interests
)]
pub struct NetworkLink {
    /// What it is called; the block's label unless set.
    #[also("device", "interface", "dev")]
    #[name]
    pub name: LinkName,
    /// What it is made as. "physical" is told of a link that nobody can make.
    #[also("kind")]
    #[one_of("bond", "bridge", "dummy", "ifb", "ipvlan", "macvlan", "veth", "vlan", "vxlan", "wireguard")]
    pub r#type: Want<String>,
    /// The link that it stands on, for "vlan", "macvlan", "ipvlan" and "vxlan".
    #[also("link", "vlan_raw_device", "lower")]
    pub parent: Want<Option<LinkName>>,
    /// The number of a "vlan" (1 to 4094) or "vxlan".
    #[also("vlan", "vlan_id", "vni")]
    pub id: Want<Option<u32>>,
    /// What the other end of a "veth" is called when it is made.
    pub peer: Option<LinkName>,
    /// Whether it is switched on. A link that is made is, unless set otherwise.
    #[also("state", "enabled")]
    #[on_create(true)]
    pub up: Want<bool>,
    /// The largest packet, in bytes.
    #[range(68..=65535)]
    pub mtu: Want<u32>,
    /// Its own address.
    #[also("address", "hwaddr", "lladdr")]
    pub mac: Want<HardwareAddress>,
    /// The bridge or bond that it belongs to; null for none.
    #[also("bridge", "controller", "bond")]
    pub master: Want<Option<LinkName>>,
    /// Its IP addresses, in any order.
    #[also("ip", "ipaddr", "ip_addresses")]
    pub addresses: Want<Addresses>,
    /// Whether addresses that are not in `addresses` are left alone.
    #[default(false)]
    pub append: bool,
}

impl Resource for NetworkLink {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        kernel::must_run("a network link", host)?;
        let Some(kind) = self.r#type.get() else { return Ok(()) };
        match needs(kind).iter().find(|need| !self.has(need)) {
            Some(need) => {
                let what = format!("the network link {} is a {kind} without `{need}`", self.name);
                Err(Error::new(ErrorKind::Invalid, what).hint(format!("set `{need}`")))
            }
            None => Ok(()),
        }
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<NetworkLinkState>> {
        if !machine::is_running(host)? {
            return Ok(None);
        }
        read(&self.name, |address, lent| self.counts(address, lent), host)
    }

    fn check_create(&self, _: &Reading<'_>) -> Result<()> {
        if self.r#type.is_set() {
            return Ok(());
        }
        let what = format!("there is no network link {}", self.name);
        Err(Error::new(ErrorKind::Missing, what).hint("set `type` to have it made, or correct its name"))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, host),
            Step::Update { goal, change, current } => {
                if change.r#type.is_none() && change.parent.is_none() && change.id.is_none() {
                    return self.adjust(change, host);
                }
                if current.r#type == PHYSICAL {
                    return Err(self.is_hardware("make anew"));
                }
                self.delete(host)?;
                self.make(goal, host)
            }
            Step::Remove { current } if current.r#type == PHYSICAL => Err(self.is_hardware("remove")),
            Step::Remove { .. } => self.delete(host),
        }
    }
}

impl Claiming for NetworkLink {
    /// It stands on its parent and on its master; the other end of a pair comes with it. Routes follow its addresses.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(self.name.claim());
        let below = [self.parent.get(), self.master.get()];
        below.into_iter().flatten().flatten().for_each(|link| claims.need(link.claim()));
        if let Some(peer) = &self.peer {
            claims.hold(peer.claim_of_end());
        }
        if !self.r#type.is_set() {
            claims.need(self.name.claim_of_end());
        }
        let addresses = self.addresses.get().into_iter().flat_map(Addresses::iter);
        addresses.for_each(|address| claims.lead(address.network().claim()));
    }
}

impl Watching for NetworkLink {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::NetworkLink(self.name.0.as_str().into()));
    }
}

impl NetworkLink {
    fn has(&self, property: &str) -> bool {
        match property {
            "parent" => matches!(self.parent.get(), Some(Some(_))),
            "id" => matches!(self.id.get(), Some(Some(_))),
            _ => self.peer.is_some(),
        }
    }

    /// Whether an address is compared. What is asked for always is; what is lent, or somebody else's, never.
    fn counts(&self, address: &Prefixed, lent: bool) -> bool {
        match self.addresses.get() {
            Some(wanted) if wanted.contains(address) => true,
            wanted => !(lent || self.append && wanted.is_some()),
        }
    }

    /// A link that is made anew keeps what it had: the goal holds that, too.
    fn make(&self, goal: &NetworkLinkGoal, host: &Act<'_>) -> Result<()> {
        let Some(kind) = &goal.r#type else { return self.check_create(host) };
        let form = Form { kind, parent: goal.parent.as_ref(), id: goal.id };
        let (mtu, mac) = (goal.mtu, goal.mac.as_ref());
        let master = goal.master.as_ref().map(Some);
        self.add(&form, &Settings { up: Some(goal.up), mtu, mac, master }, host)?;
        match &goal.addresses {
            Some(addresses) => self.readdress(&Addresses::default(), addresses, host),
            None => Ok(()),
        }
    }

    fn adjust(&self, change: &NetworkLinkChange, host: &Act<'_>) -> Result<()> {
        let settings = Settings {
            up: change.up.as_ref().map(|up| up.to),
            mtu: change.mtu.as_ref().map(|mtu| mtu.to),
            mac: change.mac.as_ref().map(|mac| &mac.to),
            master: change.master.as_ref().map(|master| master.to.as_ref()),
        };
        // To switch a link off takes its addresses of IPv6, so addresses come last.
        self.set(&settings, host)?;
        match &change.addresses {
            Some(addresses) => self.readdress(&addresses.from, &addresses.to, host),
            None => Ok(()),
        }
    }
}
