//! Packages, and where they come from.

mod apk;
mod apt;
mod claims;
mod deb822;
mod dnf;
mod order;
mod package;
mod provider;
mod record;
mod settings;
mod tool;
mod version;

pub use package::{Package, PackageChange, PackageGoal, PackageState, Purge as PackagePurge};
pub use provider::Manager;
pub use settings::{ConfigFiles, Settings as PackageSettings};
pub use version::Version;
