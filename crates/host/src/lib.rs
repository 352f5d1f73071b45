//! The local machine behind the doors of `uphold-resource`.
//!
//! Nothing here knows the engine. Everything that changes a file works on directories that are
//! held open, so that nobody can move a path away under us.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this crate is the door")]

mod access;
mod accounts;
mod archive;
mod attributes;
mod bus;
mod calls;
mod chroot;
mod clock;
mod configuration;
mod conversation;
mod directory;
mod environment;
mod facts;
mod isolation;
mod known;
mod link;
mod local;
mod look;
mod mounts;
mod name_service;
mod port;
mod proc_handles;
mod process;
mod program;
mod random;
mod receive;
mod root;
mod secret_script;
mod source;
mod spot;
mod table;
mod tail;
mod temporary;
mod tree;
mod trust;
mod units;
mod walk;
mod watch;
mod web;
mod write;

pub use configuration::{ConfigurationFiles, read_configuration};
pub use environment::{
    PARAM_VARIABLES, current_directory, current_program, environment, environment_with_prefix,
};
pub use isolation::{keep_inherited_files_from_commands, keep_memory_private};
pub use local::LocalHost;
pub use program::program_stamp;
pub use trust::{check_trusted, open_trusted};
pub use web::Gauge;
