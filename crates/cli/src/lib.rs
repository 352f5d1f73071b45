//! The `uphold` command as a library, so that a vendor's own binary is our command with one more
//! kind: see [`Runner`].

mod args;
mod commands;
mod demo;
mod diagnostics;
mod drawing;
mod error;
mod excerpt;
mod exit;
mod hcl_files;
mod input;
mod lines;
mod literal;
mod page;
mod paint;
mod prompt;
mod report;
mod run;
mod runner;
mod session;
mod signals;
mod starter;
mod text_tree;
mod ui;
mod unified_diff;

pub use runner::Runner;
