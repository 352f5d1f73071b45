//! Messages, as they come and go.

mod fault;
mod inbox;
mod message;
mod outbox;
mod parameters;

pub(crate) use fault::Fault;
pub(crate) use inbox::{Inbox, Incoming};
pub(crate) use message::Message;
pub(crate) use outbox::Outbox;
pub(crate) use parameters::{place, text, uri};
