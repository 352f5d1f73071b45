//! Kinds and recipes in Luau.
//!
//! A script reaches the machine only through [`Act`](uphold_resource::Act), and a loader only through
//! [`Reading`](uphold_resource::Reading). A scripted kind is a [`Definition`](uphold_resource::Definition): the engine
//! treats it like any other kind.

mod access_cost;
mod advice;
mod batch;
mod blueprint;
mod claims;
mod commands;
mod conversion;
mod declaration;
mod define;
mod definitions;
mod diagnostic;
mod failure;
mod files;
mod frame;
mod fuel;
mod functions;
mod inherited;
mod interpreter;
mod kind;
mod law_setup;
mod libraries;
mod library;
mod loaded;
mod nested_resources;
mod object;
mod object_type;
mod parallel;
mod parent_run;
mod property;
mod property_type;
mod property_values;
mod read_digest;
mod recipe;
mod resource_values;
mod script;
mod script_file;
mod secrets;
mod value;
mod walk;

pub use define::define;
pub use definitions::definitions;
pub use law_setup::{LawSetup, law_setup};
pub use library::{library_path, required};
pub use recipe::recipe;
pub use script_file::ScriptFile;
