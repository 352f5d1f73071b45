//! Keeps a Linux machine in its declared state: the library behind the `uphold` command.
//!
//! ```no_run
//! use uphold::prelude::*;
//! use uphold::builtin::File;
//!
//! # fn main() -> uphold::Result<()> {
//! let mode = File::read("/etc/hostname")?.mode; // the current state, without a declaration
//! let motd = File { mode: Want::of(mode), ..File::named("/etc/motd")? };
//! let summary = uphold::converge(&motd)?; // changes the file if it differs
//! assert!(summary.is_success());
//! # Ok(())
//! # }
//! ```
//!
//! A whole configuration is read for an [`Engine`], checked, and then planned, applied or watched:
//!
//! ```
//! use uphold::{Configuration, Engine, LocalHost};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let root = tempfile::tempdir()?;
//! # let root = root.path();
//! let engine = Engine::on(LocalHost::rooted(root)?).build();
//! let text = "file \"/motd\" { content = \"Welcome.\" }\n";
//! let motd = Configuration::from_text(&engine, "motd.hcl", text)?.check()?; // all errors at once, with excerpts
//! assert_eq!(motd.apply(&mut |event| println!("{event:?}"))?.created, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! All are on by default. `default-features = false` needs no C++ compiler and no TLS; a configuration that uses a missing
//! feature is rejected with a message.
//!
//! - `certificate`: the kind `certificate`;
//! - `luau`: kinds and recipes in Luau, and [`script`];
//! - `network`: requests to servers.

mod beside;
mod configuration;
mod configuration_reader;
mod converge;
mod diagnostic_text;
mod engine;
mod given_params;
mod input_log;
pub mod journal;
mod kind_files;
#[cfg(not(feature = "luau"))]
mod luau;
mod reading;
pub mod saved_plan;
mod surroundings;
pub mod testing;
mod watch;

#[cfg(feature = "luau")]
use uphold_script as luau;

pub use uphold_builtin as builtin;
pub use uphold_config::{
    Expected, Outline, OutlineAttribute, OutlineBlock, PathStep, Spot, SpotBlock, Word, is_configuration,
    is_test, outline, spot,
};
pub use uphold_engine::{
    ActionEntry, Approval, Cause, Change, ChangeKind, Control, Edge, Event, EventKind, Failure, Graph,
    LeftOut, Mode, NodeIndex, Notifiers, Pause, Pauses, Program, Reason, Request, ResourceSet, Selection,
    Sink, Skip, Summary, Unwanted, Verdict, Wake, WatchRequest, identity, in_order,
};
pub use uphold_format as format;
pub use uphold_functions as functions;
pub use uphold_host::{
    Gauge, LocalHost, check_trusted, current_directory, current_program, keep_inherited_files_from_commands,
    keep_memory_private,
};
pub use uphold_kit as kit;
pub use uphold_model as model;
pub use uphold_resource as resource;
pub use uphold_resource::{Error, ErrorKind, Result};
#[cfg(feature = "luau")]
pub use uphold_script as script;

pub use configuration::{Checked, Configuration, Rejected};
pub use configuration_reader::ConfigurationReader;
pub use converge::{Read, converge, kinds};
pub use diagnostic_text::{Lines, clean, render, sorted};
pub use engine::{Engine, EngineBuilder};
pub use kind_files::KindReading;
pub use watch::{Generation, ReloadTrigger, Steering, Watch, WatchOutcome, WatchReader};

/// The items that most programs need, and the traits of kinds.
pub mod prelude {
    pub use uphold_resource::{
        Act, Batch, Claim, Claiming, Claims, Found, Interest, Look, Property, Reading, Resource, Result,
        Step, Verbs, Want, Watching, Wish,
    };

    pub use crate::{Configuration, Engine, LocalHost, Read};
}
