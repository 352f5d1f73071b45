//! IP networks.

mod prefix;
pub(crate) mod subnet;
