//! The local machine, behind the interfaces of `uphold-resource`.
//!
//! Nothing here knows the engine. All changes of files work on open directories, so that no other process can redirect a
//! path meanwhile.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate implements the interfaces to the machine"
)]

mod access;
mod account_table;
mod accounts;
mod archive;
mod attributes;
mod bus;
mod cached_result;
mod calls;
mod child_io;
mod chroot;
mod clock;
mod configuration;
mod dir_entry;
mod directory;
mod durability;
mod environment;
mod facts;
mod io_error;
mod isolation;
mod known_contents;
mod link;
mod local;
mod look;
mod mounts;
mod port;
mod process;
mod random;
mod receive;
mod root;
mod secret_script;
mod source;
mod staged;
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
pub use process::program_stamp;
pub use trust::{check_trusted, check_trusted_below, open_trusted};
pub use web::Gauge;
