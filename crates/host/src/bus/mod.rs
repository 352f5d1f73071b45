//! A minimal D-Bus client for systemd: calls with plain arguments, replies and signals over a socket.
//!
//! A connection has no thread: a caller waits, and a watcher adds the socket to its epoll. docs/decisions explains why this
//! is not a library.

mod connection;
mod deadline;
mod message;
#[cfg(test)]
mod oracle;
mod reader;

pub(crate) use connection::{CallError, Connection};
pub(crate) use deadline::Deadline;
pub(crate) use message::{Body, Call, Message};
pub(crate) use reader::Reader;
