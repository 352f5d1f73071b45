//! Messages, as they come and go.

mod fault;
mod inbox;
mod message;
mod outbox;

pub(crate) use fault::{Fault, read};
pub(crate) use inbox::{Inbox, Incoming};
pub(crate) use message::Message;
pub(crate) use outbox::Outbox;
