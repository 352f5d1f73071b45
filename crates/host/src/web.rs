//! HTTP.

#[cfg(not(feature = "network"))]
mod absent;
#[cfg(feature = "network")]
mod agent;
#[cfg(feature = "network")]
mod exchange;
#[cfg(feature = "network")]
mod failure;
mod gauge;
#[cfg(feature = "network")]
mod redirection;
#[cfg(feature = "network")]
mod trust;

pub use gauge::Gauge;

#[cfg(not(feature = "network"))]
pub(crate) use absent::Web;
#[cfg(feature = "network")]
pub(crate) use agent::Web;
