//! Packages and their repositories.

mod apk;
mod apt;
mod claims;
mod deb822;
mod dnf;
mod keys;
mod order;
mod package;
mod provider;
mod record;
mod settings;
mod sources;
mod tool;
mod update;
mod version;

pub use keys::{AptKey, AptKeyChange, AptKeyGoal, AptKeyState, AptKeyWishes, Keyring};
pub use package::{Package, PackageChange, PackageGoal, PackageState, PackageWishes};
pub use provider::Manager;
pub use settings::{ConfigFiles, Settings as PackageSettings};
pub use sources::{
    AptRepository, AptRepositoryChange, AptRepositoryGoal, AptRepositoryState, AptRepositoryWishes,
    Fields as AptFields, SignedBy,
};
pub use update::{AptUpdate, AptUpdateChange, AptUpdateGoal, AptUpdateState, AptUpdateVerb, AptUpdateWishes};
pub use version::Version;
