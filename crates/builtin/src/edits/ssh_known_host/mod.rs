//! The kind `ssh_known_host`.

mod hashed_name;
mod public_key;
mod resource;
mod row;

pub use public_key::PublicKey;
pub use resource::{KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState};
