//! Running the programs of a manifest.

mod command;
mod printed;
mod runner;

pub(crate) use command::{Call, Operation};
pub(crate) use printed::{Printed, State, Verdict};
pub(crate) use runner::Runner;
