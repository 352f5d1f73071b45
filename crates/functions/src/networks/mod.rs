//! Addresses of networks.

mod prefix;
pub(crate) mod subnet;
