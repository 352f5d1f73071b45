//! D-Bus, as much of it as asking systemd needs: calls with plain arguments, replies and signals over a socket.
//!
//! There is no thread behind a connection: whoever asks waits, and whoever watches adds the socket to what it waits
//! for anyway. Why this is our own is told in docs/decisions.

mod body;
mod connection;
mod message;
#[cfg(test)]
mod oracle;
mod patience;
mod reader;
mod trouble;

pub(crate) use body::Body;
pub(crate) use connection::Connection;
pub(crate) use message::{Call, Message};
pub(crate) use patience::Patience;
pub(crate) use reader::Reader;
pub(crate) use trouble::Trouble;
