//! The network, as far as HTTP goes.

mod agent;
mod exchange;
mod failure;
mod redirection;
mod trust;

pub(crate) use agent::Web;
