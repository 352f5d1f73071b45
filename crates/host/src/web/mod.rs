//! The network, as far as HTTP goes.

mod agent;
mod exchange;
mod failure;
mod gauge;
mod redirection;
mod trust;

pub use gauge::Gauge;

pub(crate) use agent::Web;
