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
mod input;
mod lines;
mod page;
mod paint;
mod report;
mod run;
mod runner;
mod session;
mod signals;
mod ui;

pub use runner::Runner;
