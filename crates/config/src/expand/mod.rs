//! Expansion: calls of modules and blocks become statements.

mod arguments;
mod call;
mod expansion;
mod guard;
mod handling;
mod resource;

pub(crate) use expansion::{Expansion, Unread};
