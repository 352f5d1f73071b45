//! Reading what the user wrote.

mod disk;
mod files;
mod kept;
mod location;
mod texts;

pub use files::ConfigurationFiles;
pub use texts::read_configuration;
