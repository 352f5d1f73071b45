//! The `uphold` command as a library, so that a vendor's own binary is our command with one more
//! kind: see [`Runner`].

mod address;
mod args;
mod commands;
mod confirm;
mod demo;
mod diagnostics;
mod drawing;
mod error;
mod exit;
mod hcl_files;
mod init_template;
mod input;
mod literal;
mod logging;
mod page;
mod paint;
mod plan_file;
mod plan_json;
mod printer;
mod prompt;
mod report;
mod run;
mod run_flags;
mod runner;
mod session;
mod signals;
mod socket_path;
mod status;
mod testing;
mod text_tree;
mod ui;
mod unified_diff;
mod watch;

pub use runner::Runner;
