//! The kind `ssh_known_host`.

mod hashed_name;
mod resource;
mod row;
mod table;

pub use resource::{
    KeyMarker, SshKnownHost, SshKnownHostChange, SshKnownHostGoal, SshKnownHostState, SshKnownHostWishes,
};
