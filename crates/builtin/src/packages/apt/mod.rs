//! The package managers apt and dpkg.

mod automatic;
mod lists;
mod policy;
mod provider;
mod status;

pub(crate) use lists::{PATH as LISTS, STAMP, age as lists_age, try_source, update as update_lists};
pub(crate) use provider::Apt;
