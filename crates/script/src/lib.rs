//! Kinds and recipes in Luau.
//!
//! A script reaches the machine only through [`Act`](uphold_resource::Act), and only its reading half where something is
//! looked at. A scripted kind is a [`Definition`](uphold_resource::Definition): for the engine, a kind like any other.

mod access;
mod answers;
mod blueprint;
mod claims;
mod conversion;
mod declaration;
mod define;
mod definitions;
mod failure;
mod files;
mod frame;
mod fuel;
mod goal;
mod inner;
mod interpreter;
mod kind;
mod loaded;
mod machine;
mod parallel;
mod property;
mod property_type;
mod reading;
mod recipe;
mod script;
mod script_file;
mod secrets;
mod surroundings;
mod value;

pub use define::define;
pub use definitions::definitions;
pub use recipe::recipe;
pub use script_file::ScriptFile;
