//! The configuration language: reads HCL, and returns declarations.
//!
//! The parser is our own: every token has its place, one mistake does not hide the next, and parsing takes time linear
//! in the text. This crate knows neither the kinds of resources nor the engine.

mod block_file;
mod body;
mod console;
mod constraint;
mod constraint_reader;
mod deferred;
mod evaluate;
mod excerpt;
mod expand;
mod foreign;
mod given;
mod instance;
mod lexer;
mod meta;
mod module;
mod name_check;
mod names;
mod outline;
mod params_file;
mod parser;
mod reading;
mod source_code;
mod standalone_expr;
mod string_scan;
mod suggestion;
mod token;
mod tree;

pub use uphold_functions::{FactError, Surroundings};

pub use block_file::{WrittenAttribute, WrittenBlock, WrittenExpression, WrittenTarget, read_blocks};
pub use console::Console;
pub use given::{Given, GivenValue, Origin};
pub use module::{is_configuration, is_test};
pub use outline::{
    Expected, Outline, OutlineAttribute, OutlineBlock, PathStep, Spot, SpotBlock, Word, outline, spot,
};
pub use params_file::read_params;
pub use reading::{Reader, Reading};
