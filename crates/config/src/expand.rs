//! Expansion of module calls and blocks into statements.

mod arguments;
mod call;
mod expansion;
mod group;
mod guard;
mod handling;
mod notification;
mod resource;
mod retry;

pub(crate) use expansion::{Expansion, Unread};
