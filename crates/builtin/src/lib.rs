//! The resource kinds that ship with Uphold. They use only the public interface that third parties can use.

mod accounts;
mod archive;
mod assert;
#[cfg(feature = "certificate")]
mod certificate;
mod cron;
mod directory;
mod edits;
mod fetch;
mod file;
mod git;
mod line;
mod link;
mod log;
mod network;
mod packages;
mod packing;
mod password;
mod public_key;
mod query;
mod services;
mod storage;
mod sudo;
mod system;
mod task;
mod timer;
mod wait;

pub use accounts::*;
pub use archive::*;
pub use assert::*;
#[cfg(feature = "certificate")]
pub use certificate::*;
pub use cron::*;
pub use directory::*;
pub use edits::*;
pub use fetch::*;
pub use file::*;
pub use git::*;
pub use line::*;
pub use link::*;
pub use log::*;
pub use network::*;
pub use packages::*;
pub use packing::*;
pub use password::*;
pub use public_key::PublicKey;
pub use query::*;
pub use services::*;
pub use storage::*;
pub use sudo::*;
pub use system::*;
pub use task::*;
pub use timer::*;
pub use wait::*;

/// The types of `uphold_kit` that properties of these kinds have.
pub use uphold_kit::{
    checksum::Checksum,
    digest::Digest,
    pattern::Pattern,
    runner::Runner,
    status::{Status, WrittenText},
    verification::{Verification, VerifyCommand},
    watched::Watched,
};

use uphold_resource::{KindError, Registry};

/// Registers every kind of this crate.
pub fn register(registry: &mut Registry) -> Result<(), KindError> {
    registry.add::<AptKey>()?;
    registry.add::<AptRepository>()?;
    registry.add::<AptUpdate>()?;
    registry.add::<Archive>()?;
    registry.add::<Assert>()?;
    registry.add::<AuthorizedKey>()?;
    #[cfg(feature = "certificate")]
    registry.add::<Certificate>()?;
    #[cfg(not(feature = "certificate"))]
    registry.note_unusable("certificate", not_built_in());
    registry.add::<Cron>()?;
    registry.add::<Directory>()?;
    registry.add::<Download>()?;
    registry.add::<File>()?;
    registry.add::<Filesystem>()?;
    registry.add::<Firewall>()?;
    registry.add::<Git>()?;
    registry.add::<Group>()?;
    registry.add::<Gzip>()?;
    registry.add::<Hostname>()?;
    registry.add::<HostsEntry>()?;
    registry.add::<HttpRequest>()?;
    registry.add::<Ini>()?;
    registry.add::<JsonEdit>()?;
    registry.add::<KernelModule>()?;
    registry.add::<Line>()?;
    registry.add::<Link>()?;
    registry.add::<Locale>()?;
    registry.add::<Log>()?;
    registry.add::<Mount>()?;
    registry.add::<Package>()?;
    registry.add::<NetworkLink>()?;
    registry.add::<Password>()?;
    registry.add::<Query>()?;
    registry.add::<Route>()?;
    registry.add::<Service>()?;
    registry.add::<SshKnownHost>()?;
    registry.add::<Sudo>()?;
    registry.add::<Swap>()?;
    registry.add::<Sysctl>()?;
    registry.add::<SystemdTimer>()?;
    registry.add::<SystemdUnit>()?;
    registry.add::<Tar>()?;
    registry.add::<Task>()?;
    registry.add::<Timer>()?;
    registry.add::<Timezone>()?;
    registry.add::<TomlEdit>()?;
    registry.add::<User>()?;
    registry.add::<WaitFile>()?;
    registry.add::<WaitPort>()?;
    registry.add::<WaitQuery>()?;
    registry.add::<YamlEdit>()?;
    Ok(())
}

#[cfg(not(feature = "certificate"))]
fn not_built_in() -> uphold_resource::UnusableKind {
    uphold_resource::UnusableKind {
        reason: "this program was built without certificates".to_owned(),
        fix: "use a build with the feature `certificate`".to_owned(),
    }
}
