//! The kind `network_link`.

mod creation;
mod query;

use creation::{Form, Settings, required_properties};
use query::{PHYSICAL, read};
use uphold_kit::machine;
use uphold_resource::{
    Act, Claiming, Claims, Error, ErrorKind, Found, Interest, Look, Previous, Problem, ProblemKind, Reading,
    Resource, Result, Step, Want, Watching,
};

use super::LinkName;
use super::address::{Addresses, Prefixed};

pub use query::HardwareAddress;

/// A network link: a network card, or a virtual link such as a bridge.
///
/// For a hardware link, omit `type`, and set the other properties. A link with a `type` is created if it is
/// missing. If its `type`, `parent` or `id` differs, it is removed and created again with its other properties.
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
/// `addresses` is the complete list: other addresses are removed, except those that the kernel assigns (IPv6
/// link-local) and dynamic ones (from DHCP or a router). With `append = true` all other addresses are kept.
///
/// The kernel loses its links at a reboot. To create links at boot, before Uphold runs, declare the `file`s of the
/// system that configures them, such as `/etc/systemd/network/br0.netdev`.
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "network_link",
    also("network_interface", "ifconfig", "interface", "nmcli", "net"),
    claims,
    interests
)]
pub struct NetworkLink {
    /// Name of the link; defaults to the block's label.
    #[also("device", "interface", "dev")]
    #[name]
    pub name: LinkName,
    /// Type of a virtual link. An existing link that cannot be created by a command has the type `"physical"`.
    #[also("kind")]
    #[one_of("bond", "bridge", "dummy", "ifb", "ipvlan", "macvlan", "veth", "vlan", "vxlan", "wireguard")]
    pub r#type: Want<String>,
    /// Underlying link, for `"vlan"`, `"macvlan"`, `"ipvlan"` and `"vxlan"`.
    #[also("link", "vlan_raw_device", "lower")]
    pub parent: Want<Option<LinkName>>,
    /// ID of a `"vlan"` (1 to 4094) or `"vxlan"`.
    #[also("vlan", "vlan_id", "vni")]
    pub id: Want<Option<u32>>,
    /// Name of the other end of a new `"veth"` pair.
    pub peer: Option<LinkName>,
    /// Whether the link is up. A new link is up if it is not set.
    #[also("state", "enabled")]
    #[on_create(true)]
    pub up: Want<bool>,
    /// MTU: maximum packet size in bytes.
    #[range(68..=65535)]
    pub mtu: Want<u32>,
    /// MAC address.
    #[also("address", "hwaddr", "lladdr")]
    pub mac: Want<HardwareAddress>,
    /// Bridge or bond that it belongs to; null for none.
    #[also("bridge", "controller", "bond")]
    pub master: Want<Option<LinkName>>,
    /// IP addresses with prefix length, in any order, as in `"192.0.2.1/24"`.
    #[also("ip", "ipaddr", "ip_addresses")]
    pub addresses: Want<Addresses>,
    /// Keep addresses that are not in `addresses`.
    #[default(false)]
    pub append: bool,
}

impl Resource for NetworkLink {
    fn validate(&self) -> Result<(), Problem> {
        let Some(kind) = self.r#type.get() else { return Ok(()) };
        let missing = required_properties(kind).iter().filter(|need| !self.has(need)).map(|need| {
            let rule = format!("is required for the type {kind}");
            Problem::new(None, rule, format!("set `{need}`")).sort(ProblemKind::Missing).inside(need)
        });
        Problem::of_members(missing).map_or(Ok(()), Err)
    }

    fn prepare(&self, look: &Look<'_>) -> Result<NetworkLinkWishes> {
        super::must_run("a network link", look)?;
        Ok(NetworkLinkWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if !machine::is_running(look)? {
            return Ok(Found::Absent);
        }
        self.read(look).map(Found::from)
    }

    fn check_create(&self, _: &Look<'_>) -> Result<()> {
        if self.r#type.is_set() { Ok(()) } else { Err(self.not_found()) }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, host),
            Step::Update { goal, change, current } => {
                if change.r#type.is_none() && change.parent.is_none() && change.id.is_none() {
                    return self.adjust(change, host);
                }
                if current.r#type == PHYSICAL {
                    return Err(self.is_hardware("create again"));
                }
                self.delete(host)?;
                self.make(goal, host)
            }
            Step::Remove { current } if current.r#type == PHYSICAL => Err(self.is_hardware("remove")),
            Step::Remove { .. } => self.delete(host),
        }
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&["append"])
    }
}

impl Claiming for NetworkLink {
    /// It depends on its parent and master, and provides the other end of a pair. Routes follow its addresses.
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

    fn not_found(&self) -> Error {
        let what = format!("the network link {} does not exist", self.name);
        Error::new(ErrorKind::Missing, what).hint("correct its name, or set `type` to create a virtual link")
    }

    fn read(&self, host: &Reading<'_>) -> Result<Option<NetworkLinkState>> {
        read(&self.name, |address, dynamic| self.counts(address, dynamic), host)
    }

    /// Whether an address is compared. Declared addresses always are; temporary ones, and with `append` all others,
    /// are not.
    fn counts(&self, address: &Prefixed, dynamic: bool) -> bool {
        match self.addresses.get() {
            Some(wanted) if wanted.contains(address) => true,
            wanted => !(dynamic || self.append && wanted.is_some()),
        }
    }

    /// The goal also contains the current settings, so a link that is created again keeps them.
    fn make(&self, goal: &NetworkLinkGoal, host: &Act<'_>) -> Result<()> {
        let Some(kind) = &goal.r#type else { return Err(self.not_found()) };
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
        // Setting a link down removes its IPv6 addresses, so addresses come last.
        self.set(&settings, host)?;
        match &change.addresses {
            Some(addresses) => self.readdress(&addresses.from, &addresses.to, host),
            None => Ok(()),
        }
    }
}
