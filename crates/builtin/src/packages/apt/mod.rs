//! apt and dpkg.

mod automatic;
mod lists;
mod policy;
mod provider;
mod status;

pub(crate) use provider::Apt;
