//! Watches on network links, through one netlink socket.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType};
use uphold_resource::{Error, Interest, Result, Token};

use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::small_set::SmallSet;
use crate::facts::{LINK_GROUPS, link_changes};

/// The kernel never sends more at once.
const LARGEST_MESSAGE: usize = 64 * 1024;

/// How many messages are processed at once, so that links that change constantly do not block the watcher.
const MOST_MESSAGES: usize = 1024;

/// The watched network links with their tokens. The socket is open while there are any.
#[derive(Default)]
pub(super) struct Network {
    socket: Option<OwnedFd>,
    interested: HashMap<Arc<str>, SmallSet>,
    /// The last known names of links: renaming a link changes two names.
    names: HashMap<u32, String>,
}

impl Network {
    /// Watches the link `name` for `token`.
    pub(super) fn add(&mut self, token: Token, name: &Arc<str>, epoll: &Epoll) -> Result<()> {
        if self.socket.is_none() {
            let socket = listening().map_err(|errno| {
                Error::failed(format!("cannot watch the network link {name}")).because(errno)
            })?;
            epoll.add(&socket, Source::Network)?;
            self.socket = Some(socket);
        }
        self.interested.entry(name.clone()).or_default().insert(token);
        Ok(())
    }

    /// Stops watching the link `name` for `token`.
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

    /// Processes the messages of the kernel.
    pub(super) fn drain(&mut self, batch: &mut ChangeBatch) {
        let mut buffer = vec![0; LARGEST_MESSAGE];
        for _ in 0..MOST_MESSAGES {
            let Some(socket) = &self.socket else { return };
            match rustix::net::recv(socket, buffer.as_mut_slice(), RecvFlags::DONTWAIT) {
                Ok((length, _)) => {
                    for change in link_changes(&buffer[..length]) {
                        self.link_changed(change.index, change.name.as_deref(), batch);
                    }
                }
                Err(Errno::NOBUFS) => batch.lost(),
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    /// Reports a change of a link. An unknown link may have had any name before, so it is reported to all tokens.
    fn link_changed(&mut self, index: u32, name: Option<&str>, batch: &mut ChangeBatch) {
        let before = self.names.get(&index).cloned();
        if let Some(name) = name {
            self.report(name, batch);
            self.names.insert(index, name.to_owned());
        }
        match before {
            Some(before) => self.report(&before, batch),
            None => self.interested.keys().for_each(|name| self.report(name, batch)),
        }
    }

    fn report(&self, name: &str, batch: &mut ChangeBatch) {
        let Some((name, tokens)) = self.interested.get_key_value(name) else { return };
        for token in tokens.iter() {
            batch.changed(token, || Interest::NetworkLink(name.clone()));
        }
    }
}

/// A socket that receives messages about links and their addresses.
fn listening() -> rustix::io::Result<OwnedFd> {
    // The default protocol is 0, NETLINK_ROUTE.
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
    rustix::net::bind(&socket, &SocketAddrNetlink::new(0, LINK_GROUPS))?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_change_to_the_tokens_of_both_names() {
        let mut network = Network::default();
        for (token, name) in [(1, "eth0"), (2, "eth1"), (3, "new0")] {
            network.interested.entry(name.into()).or_default().insert(token);
        }
        let mut check = |index: u32, name: Option<&str>, expected: &[Token]| {
            let mut batch = ChangeBatch::default();
            network.link_changed(index, name, &mut batch);
            let mut tokens: Vec<Token> = batch.into_reports().iter().map(token_of).collect();
            tokens.sort_unstable();
            assert_eq!(tokens, expected, "{index} {name:?}");
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

    fn token_of(report: &uphold_resource::WatchEvent) -> Token {
        match report {
            uphold_resource::WatchEvent::Changed { token, .. } => *token,
            other => panic!("unexpected {other:?}"),
        }
    }
}
