//! The `uphold` command as a library, so that another binary can add kinds to it: see [`Runner`].

mod address;
mod address_pattern;
mod args;
mod commands;
mod demo;
mod diagnostics;
mod drawing;
mod drift;
mod error;
mod execution;
mod hint_command;
mod history;
mod input;
mod journal;
mod literal;
mod page;
mod paint;
mod plan_file;
mod plan_json;
mod printer;
mod prompt;
mod removals;
mod report;
mod reversal;
mod run;
mod run_flags;
mod runner;
mod session;
mod signals;
mod status;
mod testing;
mod text_files;
mod time_text;
mod ui;
mod watch;

pub use runner::Runner;

// The types that most of the crate uses.
use args::Flags;
use error::{CliError, Exit};
use hint_command::HintCommand;
use input::Input;
use paint::{Paint, clean};
use session::Session;
use ui::Ui;
