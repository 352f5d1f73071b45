//! Watching network links, through one netlink socket.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType};
use uphold_resource::{Error, Interest, Result, Token};

use super::gate::{Gate, Source};
use super::numbers::Numbers;
use super::tidings::Tidings;
use crate::facts::{LINK_GROUPS, link_changes};

/// The kernel never sends more at once.
const LARGEST_MESSAGE: usize = 64 * 1024;

/// So much is taken in at once, so that links that never rest do not hold us up.
const MOST_MESSAGES: usize = 1024;

/// Who is interested in which link. There is a socket as long as anybody is.
#[derive(Default)]
pub(super) struct Network {
    socket: Option<OwnedFd>,
    interested: HashMap<Arc<str>, Numbers>,
    /// The names of links, as far as they were told: a link that is renamed concerns two names.
    names: HashMap<u32, String>,
}

impl Network {
    /// Watches the link `name` for `token`.
    pub(super) fn add(&mut self, token: Token, name: &Arc<str>, gate: &Gate) -> Result<()> {
        if self.socket.is_none() {
            let socket = listening().map_err(|errno| {
                Error::failed(format!("cannot watch the network link {name}")).because(errno)
            })?;
            gate.add(&socket, Source::Network)?;
            self.socket = Some(socket);
        }
        self.interested.entry(name.clone()).or_default().insert(token);
        Ok(())
    }

    /// Watches the link no more.
    pub(super) fn remove(&mut self, token: Token, name: &Arc<str>) {
        let Some(tokens) = self.interested.get_mut(name) else { return };
        tokens.remove(token);
        if tokens.is_empty() {
            self.interested.remove(name);
        }
        if self.interested.is_empty() {
            *self = Self::default();
        }
    }

    /// Takes in what the kernel told.
    pub(super) fn drain(&mut self, tidings: &mut Tidings) {
        let mut buffer = vec![0; LARGEST_MESSAGE];
        for _ in 0..MOST_MESSAGES {
            let Some(socket) = &self.socket else { return };
            match rustix::net::recv(socket, buffer.as_mut_slice(), RecvFlags::DONTWAIT) {
                Ok((length, _)) => {
                    for change in link_changes(&buffer[..length]) {
                        self.changed(change.index, change.name.as_deref(), tidings);
                    }
                }
                Err(Errno::NOBUFS) => tidings.lost(),
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    /// A link that was never told of may have had any name before: then everybody is told.
    fn changed(&mut self, index: u32, name: Option<&str>, tidings: &mut Tidings) {
        let before = self.names.get(&index).cloned();
        if let Some(name) = name {
            self.tell(name, tidings);
            self.names.insert(index, name.to_owned());
        }
        match before {
            Some(before) => self.tell(&before, tidings),
            None => self.interested.keys().for_each(|name| self.tell(name, tidings)),
        }
    }

    fn tell(&self, name: &str, tidings: &mut Tidings) {
        let Some((name, tokens)) = self.interested.get_key_value(name) else { return };
        for token in tokens.iter() {
            tidings.changed(token, || Interest::NetworkLink(name.clone()));
        }
    }
}

/// A socket that the kernel tells of links and their addresses.
fn listening() -> rustix::io::Result<OwnedFd> {
    // Without a protocol it is NETLINK_ROUTE, whose number is 0.
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
    rustix::net::bind(&socket, &SocketAddrNetlink::new(0, LINK_GROUPS))?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whom_a_change_concerns() {
        let mut network = Network::default();
        for (token, name) in [(1, "eth0"), (2, "eth1"), (3, "new0")] {
            network.interested.entry(name.into()).or_default().insert(token);
        }
        let mut check = |index: u32, name: Option<&str>, expected: &[Token]| {
            let mut tidings = Tidings::default();
            network.changed(index, name, &mut tidings);
            let mut told: Vec<Token> = tidings.into_news().iter().map(token_of).collect();
            told.sort_unstable();
            assert_eq!(told, expected, "{index} {name:?}");
        };
        check(1, Some("eth0"), &[1, 2, 3]);
        check(1, Some("eth0"), &[1]);
        check(1, None, &[1]);
        check(1, Some("new0"), &[1, 3]);
        check(1, None, &[3]);
        check(9, None, &[1, 2, 3]);
        check(2, Some("other"), &[1, 2, 3]);
        check(2, Some("other"), &[]);
    }

    fn token_of(news: &uphold_resource::News) -> Token {
        match news {
            uphold_resource::News::Changed { token, .. } => *token,
            other => panic!("unexpected {other:?}"),
        }
    }
}
