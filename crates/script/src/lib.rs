//! Kinds and recipes in Luau.
//!
//! A script reaches the machine only through [`Act`](uphold_resource::Act), and a loader only through
//! [`Reading`](uphold_resource::Reading). A scripted kind is a [`Definition`](uphold_resource::Definition): the engine
//! treats it like any other kind.

mod access_cost;
mod advice;
mod api_reference;
mod batch;
mod blueprint;
mod claims;
mod commands;
mod conversion;
mod define;
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
mod loaded;
mod nested_resources;
mod parallel;
mod parent_run;
mod property;
mod property_type;
mod property_values;
mod read_digest;
mod require;
mod resource_values;
mod script;
mod script_file;
mod secrets;
mod value;
mod walk;

pub use api_reference::{ApiName, api_names};
pub use define::define;
pub use functions::definitions;
pub use law_setup::{LawSetup, law_setup};
pub use libraries::recipe;
pub use script_file::ScriptFile;
pub use script_file::{library_path, required};
