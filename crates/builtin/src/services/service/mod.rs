//! The kind `service`.

mod init;
mod resource;
mod runit;
mod systemd;
mod sysvinit;
mod tool;

pub use init::ServiceProvider;
pub use resource::{Service, ServiceChange, ServiceGoal, ServiceState, ServiceVerb, ServiceWishes};
