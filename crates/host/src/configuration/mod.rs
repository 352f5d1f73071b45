//! Reading configuration files.

mod disk;
mod files;
mod location;
mod sources;

pub use files::ConfigurationFiles;
pub use sources::read_configuration;
