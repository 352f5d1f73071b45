//! Reading configuration files.

mod disk;
mod files;
mod location;
mod path_cache;
mod sources;

pub use files::ConfigurationFiles;
pub use sources::read_configuration;
