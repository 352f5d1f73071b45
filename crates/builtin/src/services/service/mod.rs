//! `service`: something that runs in the background, under whichever init system there is.

mod init;
mod resource;
mod runit;
mod systemd;
mod sysvinit;
mod tool;

pub use init::ServiceProvider;
pub use resource::{Service, ServiceChange, ServiceGoal, ServiceState, ServiceVerb};
