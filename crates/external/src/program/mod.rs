//! Running the programs of a manifest.

mod call;
mod command;
mod failure;
mod printed;
mod runner;
mod trace;

pub(crate) use call::{Call, Operation};
pub(crate) use printed::{Printed, State, Verdict};
pub(crate) use runner::Runner;
