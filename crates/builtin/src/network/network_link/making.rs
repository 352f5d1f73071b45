//! Making and changing a link, through `ip`.

use uphold_resource::{Act, Error, ErrorKind, Resource, Result};

use super::HardwareAddress;
use super::resource::NetworkLink;
use crate::network::address::Addresses;
use crate::network::{LinkName, kernel};
use crate::tool;

/// What a type of link cannot be without.
pub(super) fn needs(kind: &str) -> &'static [&'static str] {
    match kind {
        "vlan" => &["parent", "id"],
        "macvlan" | "ipvlan" => &["parent"],
        "vxlan" => &["id"],
        "veth" => &["peer"],
        _ => &[],
    }
}

/// What a link is made of, and what cannot be changed later.
pub(super) struct Form<'a> {
    pub(super) kind: &'a str,
    pub(super) parent: Option<&'a LinkName>,
    pub(super) id: Option<u32>,
}

/// What is to be set on a link that is there. What is none stays as it is.
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
    /// Makes the link with its settings, all at once: whoever is interrupted leaves none that is half made. It has no addresses yet.
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
            // The port that is meant for it, and not the one that Linux had before there was one.
            ("vxlan", _) => words.extend(["dstport", "4789"].map(str::to_owned)),
            _ => {}
        }
        ip(words, &self.cannot("make"), host)
    }

    /// Sets what is to be set, if anything is.
    pub(super) fn set(&self, settings: &Settings<'_>, host: &Act<'_>) -> Result<()> {
        let settings = settings.words();
        if settings.is_empty() {
            return Ok(());
        }
        let words = ["link", "set", "dev", &self.name.0].map(str::to_owned);
        ip(words.into_iter().chain(settings), &self.cannot("change"), host)
    }

    /// Gives the link these addresses instead of those. The kernel takes others of a network with its first one, so what is left is
    /// looked at before the rest is given.
    pub(super) fn readdress(&self, from: &Addresses, to: &Addresses, host: &Act<'_>) -> Result<()> {
        from.without(to).try_for_each(|stray| self.address("delete", &stray.to_string(), host))?;
        let left = match from.without(to).next() {
            Some(_) => self.load(host)?.map(|link| link.addresses).unwrap_or_default(),
            None => from.clone(),
        };
        to.without(&left).try_for_each(|address| self.address("replace", &address.to_string(), host))
    }

    fn address(&self, verb: &str, address: &str, host: &Act<'_>) -> Result<()> {
        let what = format!("cannot {verb} the address {address} of the network link {}", self.name);
        ip(["address", verb, address, "dev", &self.name.0], &what, host)
    }

    /// Removes the link; what other ends and children it has, the kernel removes with it.
    pub(super) fn delete(&self, host: &Act<'_>) -> Result<()> {
        ip(["link", "delete", "dev", &self.name.0], &self.cannot("remove"), host)
    }

    /// What is said about a link of hardware, which nobody can make or remove.
    pub(super) fn is_hardware(&self, verb: &str) -> Error {
        let why = "it is hardware, or made by something else than `ip link add`";
        let hint = "set `up = false` to put it out of use";
        Error::new(ErrorKind::Unsupported, self.cannot(verb)).because(why).hint(hint)
    }

    fn cannot(&self, verb: &str) -> String {
        format!("cannot {verb} the network link {}", self.name)
    }
}

fn ip<A: Into<String>>(words: impl IntoIterator<Item = A>, what: &str, host: &Act<'_>) -> Result<()> {
    kernel::change(&tool::command("ip", words), what, host)
}
