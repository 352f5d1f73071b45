//! Creating and changing a link with `ip`.

use uphold_kit::tool;
use uphold_resource::{Act, Error, ErrorKind, Result};

use super::HardwareAddress;
use super::NetworkLink;
use crate::network::LinkName;
use crate::network::address::Addresses;

/// The properties that a type of link requires.
pub(super) fn required_properties(kind: &str) -> &'static [&'static str] {
    match kind {
        "vlan" => &["parent", "id"],
        "macvlan" | "ipvlan" => &["parent"],
        "vxlan" => &["id"],
        "veth" => &["peer"],
        _ => &[],
    }
}

/// The properties of a link that cannot be changed after its creation.
pub(super) struct Form<'a> {
    pub(super) kind: &'a str,
    pub(super) parent: Option<&'a LinkName>,
    pub(super) id: Option<u32>,
}

/// The settings to change; none keeps the current value.
#[derive(Default)]
pub(super) struct Settings<'a> {
    pub(super) up: Option<bool>,
    pub(super) mtu: Option<u32>,
    pub(super) mac: Option<&'a HardwareAddress>,
    pub(super) master: Option<Option<&'a LinkName>>,
}

impl Settings<'_> {
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(mtu) = self.mtu {
            words.extend(["mtu".to_owned(), mtu.to_string()]);
        }
        if let Some(mac) = self.mac {
            words.extend(["address".to_owned(), mac.to_string()]);
        }
        match self.master {
            Some(Some(master)) => words.extend(["master".to_owned(), master.0.clone()]),
            Some(None) => words.push("nomaster".to_owned()),
            None => {}
        }
        if let Some(up) = self.up {
            words.push(if up { "up" } else { "down" }.to_owned());
        }
        words
    }
}

impl NetworkLink {
    /// Creates the link with its settings in one command, so that an interruption leaves no partial link. It has no
    /// addresses yet.
    pub(super) fn add(&self, form: &Form<'_>, settings: &Settings<'_>, host: &Act<'_>) -> Result<()> {
        let mut words = vec!["link".to_owned(), "add".to_owned()];
        if let Some(parent) = form.parent {
            words.extend(["link".to_owned(), parent.0.clone()]);
        }
        words.extend(["name", &self.name.0].map(str::to_owned));
        words.extend(settings.words());
        words.extend(["type", form.kind].map(str::to_owned));
        if let Some(id) = form.id {
            words.extend(["id".to_owned(), id.to_string()]);
        }
        match (form.kind, &self.peer) {
            ("veth", Some(peer)) => words.extend(["peer", "name", &peer.0].map(str::to_owned)),
            // The port assigned by IANA, instead of the older default of Linux.
            ("vxlan", _) => words.extend(["dstport", "4789"].map(str::to_owned)),
            _ => {}
        }
        ip(words, &self.cannot("create"), host)
    }

    /// Applies settings, if there are any.
    pub(super) fn set(&self, settings: &Settings<'_>, host: &Act<'_>) -> Result<()> {
        let settings = settings.words();
        if settings.is_empty() {
            return Ok(());
        }
        let words = ["link", "set", "dev", &self.name.0].map(str::to_owned);
        ip(words.into_iter().chain(settings), &self.cannot("change"), host)
    }

    /// Changes the addresses of the link. When the primary address of a network is removed, the kernel may remove
    /// others, too, so the remaining ones are read again before new ones are added.
    pub(super) fn readdress(&self, from: &Addresses, to: &Addresses, host: &Act<'_>) -> Result<()> {
        from.without(to).try_for_each(|address| self.address("delete", &address.to_string(), host))?;
        let left = match from.without(to).next() {
            Some(_) => self.read(host)?.map(|link| link.addresses).unwrap_or_default(),
            None => from.clone(),
        };
        to.without(&left).try_for_each(|address| self.address("replace", &address.to_string(), host))
    }

    fn address(&self, verb: &str, address: &str, host: &Act<'_>) -> Result<()> {
        let what = format!("cannot {verb} the address {address} of the network link {}", self.name);
        ip(["address", verb, address, "dev", &self.name.0], &what, host)
    }

    /// Removes the link. The kernel removes its peer and children, too.
    pub(super) fn delete(&self, host: &Act<'_>) -> Result<()> {
        ip(["link", "delete", "dev", &self.name.0], &self.cannot("remove"), host)
    }

    /// The error for a hardware link, which cannot be created or removed.
    pub(super) fn is_hardware(&self, verb: &str) -> Error {
        let why = "it is hardware, or was not created with `ip link add`";
        let hint = "set `up = false` to disable it";
        Error::new(ErrorKind::Unsupported, self.cannot(verb)).because(why).hint(hint)
    }

    fn cannot(&self, verb: &str) -> String {
        format!("cannot {verb} the network link {}", self.name)
    }
}

fn ip<A: Into<String>>(words: impl IntoIterator<Item = A>, what: &str, host: &Act<'_>) -> Result<()> {
    crate::network::change(&tool::command("ip", words), what, host)
}
